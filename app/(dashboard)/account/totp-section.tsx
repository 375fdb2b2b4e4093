'use client'

import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { Section } from '../../components/layout/section.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpEnrolment } from './totp-enrolment.tsx'

/** Two-factor authentication: enrol with an authenticator app, renew the recovery codes, switch it off. */
export function TotpSection() {
  const me = useMe()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [asked, setAsked] = useState<'begin' | 'renew' | 'disable' | null>(null)
  const [begun, setBegun] = useState<Output<'account.totp.begin'> | null>(null)
  return (
    <Section
      title="Two-factor authentication"
      intro="A code of an authenticator app, asked for after your password."
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
          <Button variant="default" onClick={() => setAsked('renew')}>
            New recovery codes
          </Button>
          <Button variant="default" c="red" onClick={() => setAsked('disable')}>
            Switch off
          </Button>
        </Group>
      ) : begun ? (
        <TotpEnrolment
          totp={begun}
          onDone={(recoveryCodes) => {
            setBegun(null)
            setCodes(recoveryCodes)
          }}
        />
      ) : (
        <Stack align="flex-start">
          <Text size="sm">You need an authenticator app on your phone or in your password manager.</Text>
          <Button onClick={() => setAsked('begin')}>Set up</Button>
        </Stack>
      )}
      {asked === 'begin' && (
        <ReauthenticationDialog
          path="account.totp.begin"
          title="Set two-factor authentication up"
          explanation="Once it is on, your password alone opens your account no more."
          verb="Continue"
          onClose={() => setAsked(null)}
          onDone={(totp) => {
            setAsked(null)
            setBegun(totp)
          }}
        />
      )}
      {asked === 'renew' && (
        <ReauthenticationDialog
          path="account.totp.renewCodes"
          title="New recovery codes"
          explanation="All codes you have now stop working."
          verb="Make new codes"
          onClose={() => setAsked(null)}
          onDone={(answer) => {
            setAsked(null)
            setCodes(answer.recoveryCodes)
          }}
        />
      )}
      {asked === 'disable' && (
        <ReauthenticationDialog
          path="account.totp.disable"
          title="Switch two-factor authentication off"
          explanation="Your password alone will open your account again."
          verb="Switch off"
          color="red"
          onClose={() => setAsked(null)}
          onDone={() => setAsked(null)}
        />
      )}
    </Section>
  )
}
