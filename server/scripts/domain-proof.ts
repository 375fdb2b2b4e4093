import { Resolver } from 'node:dns/promises'

// Ownership of a domain is shown by a TXT record at a name of its own, so that it stands beside any other record.

export type ResolveTxt = (name: string) => Promise<string[][]>

/** A resolver of its own tries, one name server after another, may add up to a multiple of this. */
const DEADLINE_MS = 10_000

/** TXT records of a name by the machine's name servers. @throws when they do not answer within ten seconds */
export const resolveTxt: ResolveTxt = (name) => askNameServers(name)

export async function askNameServers(
  name: string,
  { servers, deadlineMs = DEADLINE_MS }: { servers?: string[]; deadlineMs?: number } = {},
): Promise<string[][]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs)
  return resolver.resolveTxt(name).finally(() => clearTimeout(deadline))
}

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
