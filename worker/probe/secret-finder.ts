import { spellings } from './secret-spellings.ts'

/** Says whether any spelling of the secrets is in a text, or in bytes of one. */
export type Finder = { inText: (text: string) => Promise<boolean>; inBytes: (bytes: Buffer) => Promise<boolean> }

export async function createFinder(secrets: readonly string[]): Promise<Finder> {
  const patterns = [...new Set(secrets.flatMap((secret) => [...spellings(secret)]))]
  return {
    inText: async (text) => patterns.some((pattern) => text.includes(pattern)),
    inBytes: async (bytes) => patterns.some((pattern) => bytes.includes(pattern)),
  }
}
