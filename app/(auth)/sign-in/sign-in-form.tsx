'use client'

import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SignInInput } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** Email and password; then, for an account with a second factor, the code. */
export function SignInForm({ next }: { next: string }) {
  const [step, setStep] = useState<'password' | 'code' | 'recovery'>('password')
  const { form, submit, isPending, error } = useOperationForm({
    path: 'auth.signIn',
    schema: SignInInput,
    initialValues: { email: '', password: '', code: undefined as string | undefined },
    onProblem: (problem, form) => {
      if (problem.code === 'totp_required') {
        changeStep('code')
        return true
      }
      if (problem.code !== 'invalid_code') return false
      form.setFieldValue('code', '')
      form.setFieldError('code', problem.message)
      return true
    },
    // A full load: the server decides anew what this browser may see. The token of a link stays behind the `#`.
    onDone: () => window.location.assign(next + window.location.hash),
  })
  const changeStep = (to: typeof step) => {
    form.setFieldValue('code', to === 'password' ? undefined : '')
    setStep(to)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        {step === 'password' && (
          <>
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              autoFocus
              required
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
          </>
        )}
        {step === 'code' && (
          <TextInput
            label="Code"
            description="The six digits your authenticator app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            required
            {...form.getInputProps('code')}
            value={form.values.code ?? ''}
          />
        )}
        {step === 'recovery' && (
          <>
            <Alert variant="light">Each recovery code works once. It takes the place of your authenticator.</Alert>
            <TextInput
              label="Recovery code"
              autoComplete="off"
              autoFocus
              required
              {...form.getInputProps('code')}
              value={form.values.code ?? ''}
            />
          </>
        )}
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
        {step === 'password' && (
          <Anchor component={Link} href="/forgot-password" size="sm">
            Forgot your password?
          </Anchor>
        )}
        {step === 'code' && (
          <Anchor component="button" type="button" size="sm" onClick={() => changeStep('recovery')}>
            Use a recovery code instead
          </Anchor>
        )}
        {step !== 'password' && (
          <Anchor component="button" type="button" size="sm" onClick={() => changeStep('password')}>
            Back to email and password
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
