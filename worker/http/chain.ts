import { X509Certificate } from 'node:crypto'

/** Returns the trusted authority that issued a certificate: of several, the one that expires last. */
export type AnchorLookup = (certificate: X509Certificate) => X509Certificate | null

const CHAIN_MAX = 10

/** Creates the look-up of trusted authorities, in PEM. They are parsed at its first use, which takes some milliseconds. */
export function createAnchors(authorities: () => string[]): AnchorLookup {
  let bySubject: Map<string, X509Certificate[]> | null = null
  return (certificate) => {
    bySubject ??= groupBySubject(authorities())
    const issuers = (bySubject.get(certificate.issuer) ?? []).filter((anchor) => certificate.checkIssued(anchor))
    return issuers.reduce<X509Certificate | null>((a, b) => (a && expiryOf(a) >= expiryOf(b) ? a : b), null)
  }
}

function groupBySubject(pems: string[]): Map<string, X509Certificate[]> {
  const groups = new Map<string, X509Certificate[]>()
  for (const pem of pems) {
    const authority = new X509Certificate(pem)
    const group = groups.get(authority.subject)
    if (group) group.push(authority)
    else groups.set(authority.subject, [authority])
  }
  return groups
}

/**
 * Returns the certificates that the validity of a server's certificate depends on: it, what was sent with it in the order
 * of issuers, and the trusted authority. The chain ends at the first trusted authority: a server may send an older, even
 * expired signature of the same authority, which nothing depends on.
 */
export function chainOf(leaf: X509Certificate, anchorOf: AnchorLookup): X509Certificate[] {
  const sent: X509Certificate[] = []
  for (let next = leaf.issuerCertificate; next && sent.length < CHAIN_MAX; next = next.issuerCertificate)
    sent.push(next)
  const chain = [leaf]
  for (let last = leaf; ; ) {
    const anchor = anchorOf(last)
    if (anchor) return [...chain, anchor]
    const issuer = sent.find((one) => !chain.includes(one) && last.checkIssued(one))
    if (!issuer) return chain
    chain.push(issuer)
    last = issuer
  }
}

export function firstToExpire(chain: X509Certificate[]): X509Certificate {
  return chain.reduce((a, b) => (expiryOf(b) < expiryOf(a) ? b : a))
}

function expiryOf({ validTo }: X509Certificate): number {
  return Date.parse(validTo)
}
