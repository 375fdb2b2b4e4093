'use client'

import { Anchor, Checkbox, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AcceptInvitationInput } from '#server/schemas/account/accounts.ts'
import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import { type Output, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CODE_OR_RECOVERY_CODE, CodeInput, RECOVERY_CODE } from '../../components/forms/code-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { PasskeyButton } from '../../components/forms/passkey-button.tsx'
import { IncompleteLink } from '../../components/layout/incomplete-link.tsx'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** `canUsePasskeys` if browsers allow passkeys at this address. */
export function InvitationForm({ canUsePasskeys }: { canUsePasskeys: boolean }) {
  const token = useLinkToken()
  const invitation = useQuery({ ...query('auth.invitation', { token: token ?? '' }), enabled: !!token })
  if (token === '') return <IncompleteLink />
  if (invitation.error) return <ProblemAlert error={invitation.error} />
  if (token === null || !invitation.data) return <Loader aria-label="Loading" />
  return <JoinForm token={token} invitation={invitation.data} canUsePasskeys={canUsePasskeys} />
}

type JoinFormProps = { token: string; invitation: Output<'auth.invitation'>; canUsePasskeys: boolean }

function JoinForm({ token, invitation, canUsePasskeys }: JoinFormProps) {
  /** Of the account with the address, once it asks for one. */
  const [factors, setFactors] = useState<{ hasTotp: boolean; hasPasskey: boolean } | null>(null)
  const [isOtherAccount, setOtherAccount] = useState(false)
  const { form, ...operation } = useOperationForm({
    path: 'auth.acceptInvitation',
    schema: AcceptInvitationInput,
    initialValues: {
      token,
      displayName: '',
      password: '',
      code: undefined as string | undefined,
      passkey: undefined as PasskeyProof | undefined,
      takeOver: false,
    },
    onProblem: (problem, form) => {
      if (problem.code === 'invalid_code') form.setFieldError('code', problem.message)
      else if (problem.code === 'totp_required') {
        form.setFieldValue('code', '')
        setFactors({ hasTotp: problem.details.hasTotp === true, hasPasskey: problem.details.hasPasskey === true })
      } else if (problem.code === 'invalid_credentials') {
        form.setFieldError('password', 'The account with this address has a different password.')
        setOtherAccount(true)
      } else return false
      return true
    },
    onDone: () => window.location.assign('/'),
  })
  return (
    <FormFrame
      {...operation}
      intro={
        <Text size="sm">
          You are invited to <strong>{invitation.organization}</strong> as <strong>{invitation.email}</strong>.
        </Text>
      }
      submitLabel={`Join ${invitation.organization}`}
      submitButton={{ fullWidth: true }}
    >
      <TextInput label="Your name" autoComplete="name" autoFocus required {...form.getInputProps('displayName')} />
      <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
      <PasswordInput
        label="Password"
        description="If you already have an account here, enter its password. If not, choose one with at least 8 characters."
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
      {factors && (
        <CodeInput
          description={factors.hasTotp ? CODE_OR_RECOVERY_CODE : RECOVERY_CODE}
          autoFocus
          {...form.getInputProps('code')}
          value={form.values.code ?? ''}
        />
      )}
      {factors?.hasPasskey && canUsePasskeys && (
        <PasskeyButton
          label="Use a passkey instead"
          onProof={(passkey) => {
            form.setValues({ passkey, code: undefined })
            operation.submit()
          }}
        />
      )}
      {isOtherAccount && (
        <OtherAccountOptions canTakeOver={invitation.isMailed} input={form.getInputProps('takeOver')} />
      )}
    </FormFrame>
  )
}

/** For an invited person who does not know the password of the account that has their address. */
function OtherAccountOptions({ canTakeOver, input }: { canTakeOver: boolean; input: object }) {
  return (
    <Stack gap="xs">
      {canTakeOver && (
        <Checkbox
          label="Start over with the password above"
          description="Use this if someone else created an account with your address and did not confirm it. The account gets the password above. Its second factor and API keys are removed, and its sessions end."
          {...input}
        />
      )}
      <Anchor component={Link} href="/forgot-password" size="sm">
        Forgot your password?
      </Anchor>
    </Stack>
  )
}
