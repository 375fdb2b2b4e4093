import { Resolver } from 'node:dns/promises'

// A TXT record proves the ownership of a domain. It has its own name, so that it does not conflict with other records.

export type ResolveTxt = (name: string) => Promise<string[][]>

/** Needed because a resolver tries its name servers one after another, which adds up to a multiple of its timeout. */
const DEADLINE_MS = 10_000

/** Queries the machine's name servers for TXT records. @throws Error when they do not respond within ten seconds */
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

/** Returns null when the record exists, otherwise a sentence that says what is wrong. */
export async function missingProof(domain: string, token: string, resolve: ResolveTxt): Promise<string | null> {
  const record = proofRecord(domain, token)
  try {
    const found = (await resolve(record.name)).map((chunks) => chunks.join(''))
    if (found.includes(record.value)) return null
    return found.length === 0
      ? `There is no TXT record at ${record.name} yet.`
      : `The TXT record at ${record.name} has another value.`
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no TXT record at ${record.name} yet.`
    return `The name servers did not respond for ${record.name}; try again in a moment.`
  }
}
