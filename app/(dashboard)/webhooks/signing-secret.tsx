'use client'

import { Alert, Stack } from '@mantine/core'
import { CopyText } from '../../components/copy-text.tsx'

export function SigningSecret({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert variant="light" color="orange">
        Copy the signing secret now; it is not shown again. With it the receiver checks the webhook-signature header, by
        the Standard Webhooks convention.
      </Alert>
      <CopyText text={secret} label="Signing secret" />
    </Stack>
  )
}
