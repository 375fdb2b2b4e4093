'use client'

import { Alert } from '@mantine/core'
import { DomainsLink } from '../../../components/domains-link.tsx'
import { Info } from '../../icons.ts'

/** Names the hosts because of which the limits of unverified domains apply, and the ways out. */
export function UnverifiedNotice({ hosts }: { hosts: string[] }) {
  if (hosts.length === 0) return null
  const isOne = hosts.length === 1
  return (
    <Alert variant="light" color="gray" icon={<Info size={18} aria-hidden />}>
      {hosts.join(', ')} {isOne ? 'is' : 'are'} not verified: at most three calls, no includes check, and at most one
      run every five minutes. Verify {isOne ? 'it' : 'them'} under Domains, or the operator sets TRUSTED_DOMAIN_MODE.
      <DomainsLink />
    </Alert>
  )
}
