'use client'

import { Alert, Anchor } from '@mantine/core'
import { hasPermission, useMe } from '../../../client/me.tsx'
import { Info } from '../../../components/icons.ts'
import { Link } from '../../../components/layout/link.tsx'

/** Names the hosts because of which the limits of unverified domains apply to the service. */
export function UnverifiedNotice({ hosts }: { hosts: string[] }) {
  const me = useMe()
  if (hosts.length === 0) return null
  return (
    <Alert variant="light" color="gray" icon={<Info size={18} aria-hidden />}>
      {hosts.join(', ')} {hosts.length === 1 ? 'is' : 'are'} not verified: scripts that target{' '}
      {hosts.length === 1 ? 'it' : 'them'} may make at most three calls, run at most every five minutes and use no
      includes check.
      {hasPermission(me, 'domains', 'write') && (
        <>
          {' '}
          <Anchor component={Link} href="/domains" inherit underline="always">
            Verify a domain
          </Anchor>
        </>
      )}
    </Alert>
  )
}
