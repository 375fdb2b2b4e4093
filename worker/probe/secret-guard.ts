import type { Script } from '#server/language/lace/ast.ts'
import type { OutgoingHop } from '#server/language/lace/executor/redirects.ts'
import type { RequestCheck } from '#server/language/lace/executor/run.ts'
import { createSecretFinder, type SecretFinder } from '#server/runs/redaction/secret-finder.ts'
import { createHostIndex, describeRefusedSecret, firstSecret, type SecretMask } from '#server/scripts/allowed-hosts.ts'
import { type CallFlow, readFlows } from '#server/scripts/secret-flow.ts'
import type { RestrictedSecret } from '#server/scripts/variable-scopes.ts'

/**
 * Creates a check that refuses every request with a secret to a host outside the secret's allowed hosts. It finds
 * secrets that the script names, and values in any spelling that come through run variables, cookies, responses and
 * redirects. Null when no secret is restricted to hosts.
 */
export function createSecretGuard(
  ast: Script | null,
  secrets: readonly RestrictedSecret[],
  owner: string,
): RequestCheck | null {
  if (secrets.length === 0) return null
  const flows = ast
    ? readFlows(
        ast,
        secrets.map(({ name }) => name),
      )
    : []
  const excludedAt = createHostIndex(secrets)
  const pick = (mask: SecretMask) => secrets.filter((_, index) => (mask >> BigInt(index)) & 1n)

  return async ({ callIndex, ...hop }) => {
    const mask = excludedAt(hop.url)
    if (mask === 0n) return null
    const flow = flows[callIndex]
    const namedSecret = flow ? firstSecret(mask & secretsSentIn(flow, hop), secrets) : null
    const secret = namedSecret ?? (await findSecret(pick(mask), hop, owner))
    if (!secret) return null
    // A host name that contains the secret must not appear in the result.
    const isInHost = hop.url.host.includes('xn--') || (await (await finderOf([secret], owner)).inText(hop.url.host))
    const host = isInHost ? 'the host of this request' : hop.url.host
    return describeRefusedSecret(secret, host)
  }
}

/** Returns the secrets that the script names in this hop. A redirect has another URL and may drop body and headers. */
function secretsSentIn(flow: CallFlow, { hop, headers, body }: OutgoingHop): SecretMask {
  let mask = (hop === 0 ? flow.url : 0n) | (body === null ? 0n : flow.body)
  for (const [header] of headers) {
    const name = header.toLowerCase()
    mask |= (flow.headers.get(name) ?? 0n) | (name === 'cookie' ? flow.cookies : 0n)
  }
  return mask
}

/**
 * Returns the secret whose value is in the request. Searches for all secrets at once, and bisects when one is found.
 */
async function findSecret(
  secrets: RestrictedSecret[],
  hop: OutgoingHop,
  owner: string,
): Promise<RestrictedSecret | null> {
  if (!(await isFound(hop, await finderOf(secrets, owner)))) return null
  let candidates = secrets
  while (candidates.length > 1) {
    const half = candidates.slice(0, candidates.length / 2)
    candidates = (await isFound(hop, await finderOf(half, owner))) ? half : candidates.slice(half.length)
  }
  return candidates[0] ?? null
}

function finderOf(secrets: RestrictedSecret[], owner: string): Promise<SecretFinder> {
  return createSecretFinder(
    secrets.map(({ value }) => value),
    owner,
  )
}

async function isFound({ rawUrl, url, headers, body }: OutgoingHop, finder: SecretFinder): Promise<boolean> {
  // Parsing a URL removes and encodes characters, so the raw URL is searched too.
  const texts = [rawUrl, url.href, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return (await finder.inText(texts.join('\n'))) || (body !== null && (await finder.inBytes(body)))
}
