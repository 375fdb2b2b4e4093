'use client'

import { Alert, Anchor, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SignInInput } from '#server/schemas/account/accounts.ts'
import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import { mutation } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CODE, CodeInput } from '../../components/forms/code-input.tsx'
import { EmailInput } from '../../components/forms/email-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { PasskeyButton } from '../../components/forms/passkey-button.tsx'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

type Step = 'password' | 'code' | 'passkey' | 'recovery'
type Props = {
  next?: string
  /** Browsers allow passkeys at this address. */
  canUsePasskeys: boolean
  onDone?: () => void
}

/**
 * Asks for email and password, then for the second factor if the account has one; or for a passkey alone. Then it opens
 * `next`, or calls `onDone` to stay on the page.
 */
export function SignInForm({ next = '/', canUsePasskeys, onDone }: Props) {
  const [step, setStep] = useState<Step>('password')
  const [hasPasskey, setHasPasskey] = useState(false)
  // A full page load, so that the server checks the new session. The hash may hold the token of a link.
  const finish = () => (onDone ? onDone() : window.location.assign(next + window.location.hash))
  const { form, ...operation } = useOperationForm({
    path: 'auth.signIn',
    schema: SignInInput,
    initialValues: {
      email: '',
      password: '',
      code: undefined as string | undefined,
      passkey: undefined as PasskeyProof | undefined,
    },
    onProblem: (problem, form) => {
      if (problem.code === 'totp_required') {
        const { hasTotp, hasPasskey } = problem.details
        setHasPasskey(hasPasskey === true)
        changeStep(hasTotp === true ? 'code' : canUsePasskeys ? 'passkey' : 'recovery')
        return true
      }
      form.setFieldValue('passkey', undefined)
      if (problem.code !== 'invalid_code') return false
      form.setFieldValue('code', '')
      form.setFieldError('code', problem.message)
      return true
    },
    onDone: finish,
  })
  const byPasskey = useMutation({ ...mutation('auth.signInByPasskey'), onSuccess: finish })
  const changeStep = (to: Step) => {
    form.setValues({ code: to === 'password' ? undefined : '', passkey: undefined })
    setStep(to)
  }
  const confirm = (passkey: PasskeyProof) => {
    form.setValues({ passkey, code: undefined })
    operation.submit()
  }
  const codeProps = { autoFocus: true, ...form.getInputProps('code'), value: form.values.code ?? '' }
  const secondPasskey = (
    <PasskeyButton
      label="Use a passkey"
      button={{
        ...{ fullWidth: true, loading: operation.isPending },
        ...(step === 'passkey' && { variant: 'filled', autoFocus: true }),
      }}
      onProof={confirm}
    />
  )
  if (step === 'passkey') {
    return (
      <Stack>
        <ProblemAlert error={operation.error} />
        <Text size="sm">Your password is right. Now confirm with your passkey.</Text>
        {secondPasskey}
        <OtherStep onClick={() => changeStep('recovery')}>Use a recovery code instead</OtherStep>
        <OtherStep onClick={() => changeStep('password')}>Back to email and password</OtherStep>
      </Stack>
    )
  }
  return (
    <Stack>
      <ProblemAlert error={byPasskey.error} />
      <FormFrame {...operation} submitLabel="Sign in" submitButton={{ fullWidth: true }}>
        {step === 'password' && (
          <>
            <EmailInput autoFocus {...form.getInputProps('email')} />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
          </>
        )}
        {step === 'code' && <CodeInput description={CODE} inputMode="numeric" {...codeProps} />}
        {step === 'recovery' && (
          <>
            <Alert variant="light">A recovery code replaces your second factor. Each works once.</Alert>
            <TextInput label="Recovery code" autoComplete="off" required {...codeProps} />
          </>
        )}
      </FormFrame>
      {canUsePasskeys && (step === 'password' || hasPasskey) && (
        <>
          <Divider label="or" />
          {step === 'password' ? (
            <PasskeyButton
              label="Sign in with a passkey"
              button={{ fullWidth: true, loading: byPasskey.isPending }}
              onProof={(passkey) => byPasskey.mutate({ passkey })}
            />
          ) : (
            secondPasskey
          )}
        </>
      )}
      {step === 'password' && (
        <Anchor component={Link} href="/forgot-password" size="sm">
          Forgot your password?
        </Anchor>
      )}
      {step === 'code' && <OtherStep onClick={() => changeStep('recovery')}>Use a recovery code instead</OtherStep>}
      {step !== 'password' && <OtherStep onClick={() => changeStep('password')}>Back to email and password</OtherStep>}
      {step !== 'password' && hasPasskey && !canUsePasskeys && (
        <Text size="sm" c="dimmed">
          Passkeys do not work at this address.
        </Text>
      )}
    </Stack>
  )
}

function OtherStep({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      {children}
    </Anchor>
  )
}
