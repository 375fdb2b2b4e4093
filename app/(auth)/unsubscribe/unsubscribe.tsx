'use client'

import { Alert, Anchor, Button, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Unsubscription } from '#server/schemas/alerts/unsubscribe.ts'
import { mutation, query } from '../../client/api.ts'
import { useLinkToken } from '../../client/use-link-token.ts'
import { IncompleteLink } from '../../components/layout/incomplete-link.tsx'
import { Link } from '../../components/layout/link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** Asks before it makes the silence of the link. */
export function Unsubscribe() {
  const token = useLinkToken()
  const subscription = useQuery({ ...query('auth.unsubscription', { token: token ?? '' }), enabled: !!token })
  const stop = useMutation(mutation('auth.unsubscribe'))
  if (token === '') return <IncompleteLink />
  if (subscription.error) return <ProblemAlert error={subscription.error} onRetry={() => subscription.refetch()} />
  if (token === null || !subscription.data) return <Loader aria-label="Loading" />
  const { data } = subscription
  if (data.isStopped || stop.isSuccess) return <Stopped subscription={data} />
  return (
    <Stack>
      <Text size="sm">
        Soundline sends alerts about <Subject {...data} /> to <strong>{data.email}</strong>.
      </Text>
      <Text size="sm" c="dimmed">
        Other members of {data.organization} still get them. You can undo this under My silences.
      </Text>
      <ProblemAlert error={stop.error} />
      <Button fullWidth loading={stop.isPending} onClick={() => stop.mutate({ token })}>
        Stop these mails
      </Button>
    </Stack>
  )
}

function Stopped({ subscription }: { subscription: Unsubscription }) {
  return (
    <Stack>
      <Alert variant="light" color="teal" role="status">
        No more mails about <Subject {...subscription} /> are sent to {subscription.email}.
      </Alert>
      <Anchor component={Link} href="/silences" size="sm">
        My silences
      </Anchor>
    </Stack>
  )
}

function Subject({ resourceType, resourceName }: Unsubscription) {
  if (resourceType === 'agents') return <>agents</>
  if (resourceType === 'organization') {
    return (
      <>
        everything in <strong>{resourceName}</strong>
      </>
    )
  }
  return (
    <>
      the {resourceType} <strong>{resourceName}</strong>
    </>
  )
}
