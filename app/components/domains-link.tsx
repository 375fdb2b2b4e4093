'use client'

import { Anchor } from '@mantine/core'
import { hasPermission, useMe } from '../client/me.tsx'
import { Link } from './layout/link.tsx'

/** The way out of the limits for unverified domains, for members who may verify one. */
export function DomainsLink() {
  const me = useMe()
  if (!hasPermission(me, 'domains', 'write')) return null
  return (
    <>
      {' '}
      <Anchor component={Link} href="/domains" inherit underline="always">
        Verify a domain
      </Anchor>
    </>
  )
}
