import { Resolver } from 'node:dns/promises'

// Ownership of a domain is shown by a TXT record at a name of its own, so that it stands beside any other record.

export type ResolveTxt = (name: string) => Promise<string[][]>

const resolver = new Resolver({ timeout: 3_000, tries: 2 })

/** TXT records of a name by the machine's name servers. */
export const resolveTxt: ResolveTxt = (name) => resolver.resolveTxt(name)

export function proofRecord(domain: string, token: string) {
  return { type: 'TXT' as const, name: `_soundline.${domain}`, value: `soundline-verification=${token}` }
}

/** Null when the record is there; otherwise why not, in a sentence. */
export async function missingProof(domain: string, token: string, resolve: ResolveTxt): Promise<string | null> {
  const record = proofRecord(domain, token)
  try {
    const found = (await resolve(record.name)).map((chunks) => chunks.join(''))
    if (found.includes(record.value)) return null
    return found.length === 0
      ? `There is no TXT record at ${record.name} yet.`
      : `The TXT record at ${record.name} holds something else.`
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no TXT record at ${record.name} yet.`
    return `The name servers did not answer for ${record.name}; try again in a moment.`
  }
}
