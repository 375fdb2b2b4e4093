'use client'

import { Alert, Anchor } from '@mantine/core'
import { useMe } from '../../client/me.tsx'
import { ShieldAlert } from '../icons.ts'
import { Link } from '../layout/link.tsx'

/** Shown on every page until the member has the second factor that the organization requires. */
export function TotpNotice() {
  const me = useMe()
  if (!me.totpEnrollmentRequired) return null
  return (
    <Alert color="orange" variant="light" mb="lg" icon={<ShieldAlert size={18} aria-hidden />}>
      {me.organization.name} requires two-factor authentication.{' '}
      <Anchor component={Link} href="/account" inherit underline="always">
        Set it up
      </Anchor>{' '}
      with an authenticator app or a passkey to continue. Until then you can open only your account page.
    </Alert>
  )
}
