import { type CallRecord, redirectsOmitted } from '../lace/result.ts'
import { textPrefix } from '../lace/values/json.ts'
import type { SeenCertificate } from '../record/finished-run.ts'

const NAME_MAX = 256
/** Of a name in DNS. A longer one cannot have been connected to, and the database could not index it. */
const HOST_NAME_MAX = 253

/**
 * Returns the certificates of a run's responses, one per host: the one that expires first. With redirects only the last
 * hop is known. `shown` are the same calls without secrets. A host that contains a secret is left out.
 */
export function certificatesOf(calls: readonly CallRecord[], shown: readonly CallRecord[]): SeenCertificate[] {
  const found = new Map<string, SeenCertificate>()
  for (const [i, call] of calls.entries()) {
    const certificate = call.response?.tls?.certificate
    if (!certificate) continue
    const host = hostOf(call)
    if (host === null || host !== hostOf(shown[i] as CallRecord)) continue
    const [notBefore, notAfter] = [new Date(certificate.notBefore), new Date(certificate.notAfter)]
    const known = found.get(host)
    if (Number.isNaN(notBefore.getTime() + notAfter.getTime()) || (known && known.notAfter <= notAfter)) continue
    const names = shown[i]?.response?.tls?.certificate
    found.set(host, { host, notBefore, notAfter, subject: nameOf(names?.subject.cn), issuer: nameOf(names?.issuer.cn) })
  }
  return [...found.values()]
}

/** Returns the host that sent the response, with the port if it is not 443; null when it is unknown. */
function hostOf(call: CallRecord): string | null {
  const last = redirectsOmitted(call) ? '' : (call.redirects.at(-1) ?? call.request?.url ?? '')
  const url = URL.parse(last)
  return url?.protocol === 'https:' && url.hostname.length <= HOST_NAME_MAX ? url.host : null
}

function nameOf(commonName: string | undefined): string | null {
  return textPrefix(commonName ?? '', NAME_MAX) || null
}
