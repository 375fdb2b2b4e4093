'use client'

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { useMe } from '../../client/me.tsx'
import { Section } from '../../components/layout/section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpEnrolment } from './totp-enrolment.tsx'

const ReauthenticationDialog = lazyDialog(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
)

/** The authenticator app as second factor: enrolment, new recovery codes, and turning it off. */
export function TotpSection() {
  const me = useMe()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [openDialog, setOpenDialog] = useState<'begin' | 'renew' | 'disable' | null>(null)
  const [pendingTotp, setPendingTotp] = useState<Output<'account.totp.begin'> | null>(null)
  return (
    <Section
      title="Authenticator app"
      intro="After your password, sign-in asks for a code from an authenticator app."
      actions={
        <Badge color={me.user.hasTotp ? 'teal' : 'gray'} variant="light">
          {me.user.hasTotp ? 'On' : 'Off'}
        </Badge>
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : me.user.hasTotp ? (
        <Group>
          <Button variant="default" onClick={() => setOpenDialog('renew')}>
            New recovery codes
          </Button>
          <Button variant="default" c="red" onClick={() => setOpenDialog('disable')}>
            Switch off
          </Button>
        </Group>
      ) : pendingTotp ? (
        <TotpEnrolment
          totp={pendingTotp}
          onDone={(recoveryCodes) => {
            setPendingTotp(null)
            setCodes(recoveryCodes)
          }}
        />
      ) : (
        <Stack align="flex-start">
          <Text size="sm">You need an authenticator app on your phone or in your password manager.</Text>
          <Button onClick={() => setOpenDialog('begin')}>Set up</Button>
        </Stack>
      )}
      {openDialog === 'begin' && (
        <ReauthenticationDialog
          path="account.totp.begin"
          title="Set up two-factor authentication"
          explanation={
            me.user.hasPasskey
              ? 'After your password, sign-in will then take a code too.'
              : 'Sign-in will then need a code as well as your password.'
          }
          submitLabel="Continue"
          onClose={() => setOpenDialog(null)}
          onDone={(totp) => {
            setOpenDialog(null)
            setPendingTotp(totp)
          }}
        />
      )}
      {openDialog === 'renew' && (
        <ReauthenticationDialog
          path="account.totp.renewCodes"
          title="New recovery codes"
          explanation="The recovery codes that you have now stop working."
          submitLabel="Create new codes"
          onClose={() => setOpenDialog(null)}
          onDone={(output) => {
            setOpenDialog(null)
            setCodes(output.recoveryCodes)
          }}
        />
      )}
      {openDialog === 'disable' && (
        <ReauthenticationDialog
          path="account.totp.disable"
          title="Switch off two-factor authentication"
          explanation={
            me.user.hasPasskey
              ? 'After your password, sign-in will then need a passkey.'
              : 'Sign-in will then need only your password.'
          }
          submitLabel="Switch off"
          color="red"
          onClose={() => setOpenDialog(null)}
          onDone={() => setOpenDialog(null)}
        />
      )}
    </Section>
  )
}
