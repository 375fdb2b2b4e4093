'use client'

import { Alert, Anchor, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SignInInput } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CODE, CodeInput } from '../../components/forms/code-input.tsx'
import { EmailInput } from '../../components/forms/email-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { Link } from '../../components/layout/link.tsx'

/**
 * Asks for email and password, then for the code if the account has a second factor. Then it opens `next`, or calls
 * `onDone` to stay on the page.
 */
export function SignInForm({ next = '/', onDone }: { next?: string; onDone?: () => void }) {
  const [step, setStep] = useState<'password' | 'code' | 'recovery'>('password')
  const { form, ...operation } = useOperationForm({
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
    // A full page load, so that the server checks the new session. The hash may hold the token of a link.
    onDone: () => (onDone ? onDone() : window.location.assign(next + window.location.hash)),
  })
  const changeStep = (to: typeof step) => {
    form.setFieldValue('code', to === 'password' ? undefined : '')
    setStep(to)
  }
  const codeProps = { autoFocus: true, ...form.getInputProps('code'), value: form.values.code ?? '' }

  return (
    <Stack>
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
            <Alert variant="light">A recovery code replaces the code of your authenticator app. Each works once.</Alert>
            <TextInput label="Recovery code" autoComplete="off" required {...codeProps} />
          </>
        )}
      </FormFrame>
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
  )
}
