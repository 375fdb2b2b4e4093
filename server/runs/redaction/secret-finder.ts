import { maskedPieces, type SearchableText } from './masker.ts'
import type { PatternSearch } from './pattern-search.ts'
import { secretSearch } from './secret-search.ts'

/** Finds whether a string, or bytes, contain a secret in any spelling. */
export type SecretFinder = { inText: (text: string) => Promise<boolean>; inBytes: (bytes: Buffer) => Promise<boolean> }

/** @throws TooManySecrets when the secrets are too long to be searched for */
export async function createSecretFinder(secrets: readonly string[], owner: string): Promise<SecretFinder> {
  return {
    inText: async (text) => isFound(text, await secretSearch(secrets, 'text', owner)),
    inBytes: async (bytes) => {
      const searched = { length: bytes.length, slice: (from: number, to: number) => bytes.toString('latin1', from, to) }
      return isFound(searched, await secretSearch(secrets, 'bytes', owner))
    },
  }
}

async function isFound(text: SearchableText, search: PatternSearch | null): Promise<boolean> {
  if (search === null) return false
  let length = 0
  for await (const piece of maskedPieces(text, text.length, search, '')) length += piece.length
  return length < text.length
}
