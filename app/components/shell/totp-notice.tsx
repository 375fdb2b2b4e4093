'use client'

import { Alert, Anchor } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useMe } from '../../client/me.tsx'
import { Link } from '../layout/link.tsx'

/** Said on every page until the member has the second factor their organization demands. */
export function TotpNotice() {
  const me = useMe()
  if (!me.totpEnrollmentRequired) return null
  return (
    <Alert color="orange" variant="light" mb="lg" icon={<ShieldAlert size={18} aria-hidden />}>
      {me.organization.name} requires two-factor authentication.{' '}
      <Anchor component={Link} href="/account" inherit underline="always">
        Set it up
      </Anchor>{' '}
      to go on; until then the other pages stay closed.
    </Alert>
  )
}
