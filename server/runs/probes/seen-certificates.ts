import type { HopCertificate } from '../../language/lace/transport.ts'
import { textPrefix } from '../../language/lace/values/json.ts'
import { CERTIFIED_HOSTS_MAX } from '../../schemas/agents/probe-upload.ts'
import type { SeenCertificate } from '../record/finished-run.ts'
import type { Redactor } from '../redaction/redact.ts'

const NAME_MAX = 256

/** Collects the certificates that a run sees: of each host, the one that expires first. */
export function collectCertificates(): { add: (seen: HopCertificate) => void; all: () => HopCertificate[] } {
  const byHost = new Map<string, HopCertificate>()
  return {
    add(seen) {
      const known = byHost.get(seen.host)
      if (known ? Date.parse(seen.notAfter) < Date.parse(known.notAfter) : byHost.size < CERTIFIED_HOSTS_MAX) {
        byHost.set(seen.host, seen)
      }
    },
    all: () => [...byHost.values()],
  }
}

/** Masks secrets in the names of certificates. A host that contains a secret is left out. */
export async function maskCertificates(seen: HopCertificate[], redactor: Redactor): Promise<HopCertificate[]> {
  const masked = await Promise.all(
    seen.map(async (hop) => {
      const [host, subject, issuer] = await redactor.value([hop.host, hop.subject, hop.issuer] as const)
      return host === hop.host ? { ...hop, subject, issuer } : null
    }),
  )
  return masked.filter((hop) => hop !== null)
}

/** Returns masked certificates in the form in which they are stored, without those whose dates are unreadable. */
export function seenCertificates(masked: HopCertificate[]): SeenCertificate[] {
  return masked.flatMap(({ host, subject, issuer, ...dates }) => {
    const [notBefore, notAfter] = [new Date(dates.notBefore), new Date(dates.notAfter)]
    if (Number.isNaN(notBefore.getTime() + notAfter.getTime())) return []
    return { host, notBefore, notAfter, subject: nameOf(subject.cn), issuer: nameOf(issuer.cn) }
  })
}

function nameOf(commonName: string | undefined): string | null {
  return textPrefix(commonName ?? '', NAME_MAX) || null
}
