import { maskedPieces, type Searched } from './masker.ts'
import type { PatternSearch } from './pattern-search.ts'
import { searchFor } from './secret-search.ts'

/** Says whether any spelling of the secrets is in a text, or in bytes of one. */
export type Finder = { inText: (text: string) => Promise<boolean>; inBytes: (bytes: Buffer) => Promise<boolean> }

/** Throws `TooManySecrets` when the secrets are too long to be looked for. */
export async function createFinder(secrets: readonly string[], owner: string): Promise<Finder> {
  return {
    inText: async (text) => isFound(text, await searchFor(secrets, 'text', owner)),
    inBytes: async (bytes) => {
      const searched = { length: bytes.length, slice: (from: number, to: number) => bytes.toString('latin1', from, to) }
      return isFound(searched, await searchFor(secrets, 'bytes', owner))
    },
  }
}

async function isFound(text: Searched, search: PatternSearch | null): Promise<boolean> {
  if (search === null) return false
  let length = 0
  for await (const piece of maskedPieces(text, text.length, search, '')) length += piece.length
  return length < text.length
}
