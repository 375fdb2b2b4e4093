'use client'

import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../../client/api.ts'
import { useMe } from '../../../client/me.tsx'
import { useLinkToken } from '../../../client/use-link-token.ts'
import { Link } from '../../../components/layout/link.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

/** Where the link of a mail about the account's address leads. A click is needed: mail scanners open links too. */
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
              {confirm.data.email} is confirmed as the address of your account.
            </Alert>
            <Anchor component={Link} href="/account" size="sm">
              To your account
            </Anchor>
          </>
        ) : token === '' ? (
          <Text>This link is not complete. Open it exactly as it was sent to you.</Text>
        ) : (
          <>
            <Text size="sm">The mail that brought you here shows that its address is yours.</Text>
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
