'use client'

import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '#server/schemas/organization/domains.ts'
import { mutation } from '../../client/api.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { Instant } from '../../components/instant.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** A domain with its state and, while it is needed, the DNS record that verifies it. */
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
                Checked <Instant at={domain.lastCheckedAt} />
                {domain.lastSeenAt && (
                  <>
                    , record last found <Instant at={domain.lastSeenAt} />
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
            The last check did not find the record. If the record stays missing, the verification lapses{' '}
            <Instant at={domain.lapsesAt} />.
          </Text>
        )}
        {(!domain.verifiedAt || domain.lapsesAt) && (
          <Stack gap="xs">
            <Text size="sm">
              Add this {domain.record.type} record at your DNS provider, then verify. Do not remove it: we check it
              every day, and the verification lapses after seven days without it.
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
        warning={`The limits of unverified domains will apply to scripts that target ${domain.domain}.`}
        submitLabel="Remove domain"
        mutation={remove}
        onConfirm={() => remove.mutate({ id: domain.id })}
      />
    </Paper>
  )
}

/** A domain without verification is lapsed if its record was ever found. */
function stateOf({ verifiedAt, lastSeenAt }: Domain): string {
  if (verifiedAt) return 'Verified'
  return lastSeenAt ? 'Lapsed' : 'Not verified'
}
