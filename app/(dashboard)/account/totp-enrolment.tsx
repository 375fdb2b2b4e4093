'use client'

import { Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core'
import { CodeInput } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { QrCode } from '../../components/qr-code.tsx'

/** The secret as a picture and as text, and the first code as proof that an app has it. */
export function TotpEnrolment(props: { totp: { secret: string; uri: string }; onDone: (codes: string[]) => void }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.totp.confirm',
    schema: CodeInput,
    initialValues: { code: '' },
    onProblem: (problem, form) => {
      if (problem.code !== 'invalid_code') return false
      form.setFieldError('code', problem.message)
      return true
    },
    onDone: ({ recoveryCodes }) => props.onDone(recoveryCodes),
  })
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, xs: 'content' }}>
        <QrCode text={props.totp.uri} label="QR code for your authenticator app" />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 'auto' }}>
        <Stack>
          <Stack gap={4}>
            <Text size="sm">Scan the picture with your app, or type this secret into it:</Text>
            <CopyText text={props.totp.secret} label="Secret" />
          </Stack>
          <form onSubmit={submit} noValidate>
            <Stack>
              <ProblemAlert error={error} />
              <TextInput
                label="Code"
                description="The six digits the app shows now."
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                {...form.getInputProps('code')}
              />
              <Group>
                <Button type="submit" loading={isPending}>
                  Switch on
                </Button>
              </Group>
            </Stack>
          </form>
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
