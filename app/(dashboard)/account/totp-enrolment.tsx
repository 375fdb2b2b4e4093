'use client'

import { Grid, Stack, Text } from '@mantine/core'
import { CodeInput as CodeInputSchema } from '#server/schemas/account/accounts.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { CODE, CodeInput } from '../../components/forms/code-input.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { QrCode } from '../../components/qr-code.tsx'

/** Shows the secret as a QR code and as text, and asks for the first code to check that the app has the secret. */
export function TotpEnrolment(props: { totp: { secret: string; uri: string }; onDone: (codes: string[]) => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'account.totp.confirm',
    schema: CodeInputSchema,
    initialValues: { code: '' },
    errorFields: { invalid_code: 'code' },
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
            <Text size="sm">Scan the QR code with your app, or type this secret into the app:</Text>
            <CopyText text={props.totp.secret} label="Secret" />
          </Stack>
          <FormFrame {...operation} submitLabel="Switch on">
            <CodeInput description={CODE} inputMode="numeric" {...form.getInputProps('code')} />
          </FormFrame>
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
