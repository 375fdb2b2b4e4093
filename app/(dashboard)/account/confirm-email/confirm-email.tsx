'use client'

import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../../client/api.ts'
import { useMe } from '../../../client/me.tsx'
import { useLinkToken } from '../../../client/use-link-token.ts'
import { IncompleteLink } from '../../../components/layout/incomplete-link.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

/** The page that a confirmation link opens. It asks for a click, because mail scanners open links too. */
export function ConfirmEmail() {
  const me = useMe()
  const token = useLinkToken()
  const confirm = useMutation(mutation('account.confirmEmail'))
  return (
    <PageFrame title="Confirm address" intro={`You are signed in as ${me.user.email}.`}>
      <Stack align="flex-start" maw={820}>
        {confirm.data ? (
          <>
            <Alert variant="light" color="teal" role="status">
              {confirm.data.email} is now the confirmed address of your account.
            </Alert>
            <Anchor component={Link} href="/account" size="sm">
              Go to your account
            </Anchor>
          </>
        ) : token === '' ? (
          <IncompleteLink />
        ) : (
          <>
            <Text size="sm">Confirm that the address that received this link is yours.</Text>
            <ProblemAlert error={confirm.error} />
            <Button loading={confirm.isPending} onClick={() => confirm.mutate({ token: token ?? '' })}>
              Confirm
            </Button>
          </>
        )}
      </Stack>
    </PageFrame>
  )
}
