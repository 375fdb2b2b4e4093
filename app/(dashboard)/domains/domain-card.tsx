'use client'

import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '#server/schemas/organization/domains.ts'
import { mutation } from '../../client/api.ts'
import { ConfirmRemoval } from '../../components/confirm-removal.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { Instant } from '../../components/instant.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** One domain: verified, or the record that would verify it. */
export function DomainCard({ domain, mayWrite }: { domain: Domain; mayWrite: boolean }) {
  const [isRemoving, setRemoving] = useState(false)
  const verify = useMutation(mutation('organization.domains.verify'))
  const remove = useMutation({ ...mutation('organization.domains.remove'), onSuccess: () => setRemoving(false) })
  return (
    <Paper withBorder p="md" component="section" aria-label={domain.domain}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600}>{domain.domain}</Text>
            <Badge variant="light" color={domain.verifiedAt ? 'teal' : 'orange'}>
              {stateOf(domain)}
            </Badge>
            {domain.lastCheckedAt && (
              <Text size="xs" c="dimmed">
                checked <Instant at={domain.lastCheckedAt} />
                {domain.lastSeenAt && (
                  <>
                    , record last seen <Instant at={domain.lastSeenAt} />
                  </>
                )}
              </Text>
            )}
          </Group>
          {mayWrite && (
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                loading={verify.isPending}
                onClick={() => verify.mutate({ id: domain.id })}
              >
                {domain.verifiedAt ? 'Check again' : 'Verify'}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Remove ${domain.domain}`}
                onClick={() => setRemoving(true)}
              >
                Remove
              </Button>
            </Group>
          )}
        </Group>
        {domain.lapsesAt && (
          <Text size="sm" c="orange" role="status">
            The last check did not find the record. Unless it is back, the verification lapses{' '}
            <Instant at={domain.lapsesAt} />.
          </Text>
        )}
        {(!domain.verifiedAt || domain.lapsesAt) && (
          <Stack gap="xs">
            <Text size="sm">
              Set this {domain.record.type} record at your DNS provider, then verify. Leave it there: it is checked
              every day, and after seven days without it the verification lapses.
            </Text>
            <CopyText text={domain.record.name} label="Record name" />
            <CopyText text={domain.record.value} label="Record value" />
          </Stack>
        )}
        {verify.data?.reason && (
          <Text size="sm" c="red" role="status">
            Not verified: {verify.data.reason}
          </Text>
        )}
        <ProblemAlert error={verify.error} />
      </Stack>
      <ConfirmRemoval
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove domain"
        warning={`Scripts that target ${domain.domain} are held to the limits of unverified domains again.`}
        submitLabel="Remove domain"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id: domain.id })}
      />
    </Paper>
  )
}

/** A domain whose record was seen once was verified once. */
function stateOf({ verifiedAt, lastSeenAt }: Domain): string {
  if (verifiedAt) return 'Verified'
  return lastSeenAt ? 'Lapsed' : 'Not verified'
}
