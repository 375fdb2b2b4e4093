import { describeHosts, isHostAllowed } from '#server/allowed-hosts.ts'
import { type CallFlow, holds, readFlows } from '#server/secret-flow.ts'
import type { BoundSecret } from '#server/variables.ts'
import type { Script } from '#worker/lace/ast.ts'
import type { OutgoingHop } from '#worker/lace/executor/follow.ts'
import type { Admit } from '#worker/lace/executor/run.ts'
import { createFinder, type Finder } from './secret-finder.ts'

/**
 * Refuses every request that holds a secret for a host that is not among the secret's own, whatever way it took there:
 * by name in the script, or by value in any spelling, through run variables, cookies, answers and redirects. Null when
 * no secret is bound to hosts.
 */
export function createSecretGuard(ast: Script | null, secrets: readonly BoundSecret[]): Admit | null {
  if (secrets.length === 0) return null
  const flows = ast ? readFlows(ast) : []
  const finders = new Map<string, Promise<Finder>>()
  const finderFor = (excluded: BoundSecret[]) => {
    const key = excluded.map(({ name }) => name).join()
    const finder = finders.get(key) ?? createFinder(excluded.map(({ value }) => value))
    finders.set(key, finder)
    return finder
  }
  return async ({ callIndex, ...hop }) => {
    const excluded = secrets.filter(({ allowedHosts }) => !isHostAllowed(allowedHosts, hop.url))
    if (excluded.length === 0) return null
    const flow = flows[callIndex]
    const named = excluded.find(({ name }) => flow && sends(flow, hop, name))
    if (!named && !(await isFound(hop, await finderFor(excluded)))) return null
    const secret = named ?? (await findWhich(excluded, hop, finderFor))
    // A host that the secret makes up is not to be read in the result.
    const isInHost = await (await finderFor([secret])).inText(hop.url.host)
    const host = isInHost || hop.url.host.includes('xn--') ? 'the host of this request' : hop.url.host
    return `the secret $${secret.name} may be sent to ${describeHosts(secret.allowedHosts)} only, not to ${host}`
  }
}

/** Whether a part of the request that is made of the variable is in this hop: a redirect has a URL of its own. */
function sends(flow: CallFlow, { hop, headers, body }: OutgoingHop, name: string): boolean {
  if (hop === 0 && holds(flow.url, name)) return true
  if (body !== null && holds(flow.body, name)) return true
  return headers.some(([header]) => {
    const lower = header.toLowerCase()
    if (lower === 'cookie' && holds(flow.cookies, name)) return true
    const names = flow.headers.get(lower)
    return names !== undefined && holds(names, name)
  })
}

async function isFound({ written, url, headers, body }: OutgoingHop, finder: Finder): Promise<boolean> {
  // Reading a URL changes it: what was cut out or coded by that is in the text before.
  const texts = [written, url.href, ...headers.flatMap(([name, value]) => [`${name}: ${value}`])]
  return (await finder.inText(texts.join('\n'))) || (body !== null && (await finder.inBytes(body)))
}

async function findWhich(
  excluded: BoundSecret[],
  hop: OutgoingHop,
  finderFor: (secrets: BoundSecret[]) => Promise<Finder>,
): Promise<BoundSecret> {
  for (const secret of excluded) if (await isFound(hop, await finderFor([secret]))) return secret
  return excluded[0]!
}
