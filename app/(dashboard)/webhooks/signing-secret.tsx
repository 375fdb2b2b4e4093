'use client'

import { Alert, Stack } from '@mantine/core'
import { CopyText } from '../../components/copy-text.tsx'

export function SigningSecret({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert variant="light" color="orange">
        Copy the signing secret now. It is not shown again. Receivers use it to verify the webhook-signature header, as
        Standard Webhooks describes.
      </Alert>
      <CopyText text={secret} label="Signing secret" />
    </Stack>
  )
}
