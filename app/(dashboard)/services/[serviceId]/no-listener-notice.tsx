'use client'

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Service } from '#server/schemas/services.ts'
import { mutation, query } from '../../../client/api.ts'
import { BellOff } from '../../../components/icons.ts'
import { Link } from '../../../components/layout/link.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { isFailing } from './is-failing.ts'

/** Says on the page of a failing service that it has no listener, and who is notified instead. */
export function NoListenerNotice({ service, mayWrite }: { service: Service; mayWrite: boolean }) {
  const { id } = service
  const isShown = isFailing(service)
  const preview = useQuery({ ...query('alerts.preview', { id }), enabled: isShown })
  const follow = useMutation(mutation('follows.create'))
  if (!isShown || !preview.data || preview.data.hasListener) return null
  const isOwnerTold = preview.data.recipients.length > 0
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<BellOff size={18} aria-hidden />}
      title="This service is failing, and no alert recipient is set up"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          No active member has a grant on it that notifies or follows it, and no webhook with an enabled binding covers
          it.{' '}
          {isOwnerTold
            ? 'The owner of the organization is notified instead.'
            : 'The organization has no active owner who could be notified instead.'}
        </Text>
        <ProblemAlert error={follow.error} />
        <Group gap="sm">
          <Button
            size="compact-sm"
            variant="default"
            loading={follow.isPending}
            onClick={() => follow.mutate({ resourceType: 'service', resourceId: id })}
          >
            Follow this service
          </Button>
          {mayWrite && (
            <Anchor component={Link} href={`/services/${id}/access`} size="sm" underline="always">
              Give someone access
            </Anchor>
          )}
          <Anchor component={Link} href={`/services/${id}/webhooks`} size="sm" underline="always">
            Bind a webhook
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  )
}
