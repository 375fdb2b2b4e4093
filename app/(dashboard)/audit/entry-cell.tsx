'use client'

import { Anchor, Badge, Group, Text } from '@mantine/core'
import { sentenceOf } from '#server/schemas/audit/sentence.ts'
import type { Output } from '../../client/api.ts'
import { Link } from '../../components/layout/link.tsx'
import type { AuditAddress } from './audit-address.ts'
import { addressWith } from './audit-address.ts'
import { EntryDetails } from './entry-details.tsx'

export type Entry = Output<'organization.audit.list'>['items'][number]

/** What happened in one sentence, with what changed below it. */
export function EntryCell({ entry, address }: { entry: Entry; address: AuditAddress }) {
  const { who, text, name, after } = sentenceOf(entry)
  return (
    <>
      <Text size="sm">
        {entry.actor ? (
          <Anchor
            component={Link}
            href={addressWith(address, { person: entry.actor.id })}
            inherit
            fw={600}
            underline="always"
          >
            {who}
          </Anchor>
        ) : (
          <b>{who}</b>
        )}{' '}
        {text} {name !== null && <ResourceName entry={entry} name={name} address={address} />} {after}
      </Text>
      <Group gap="xs">
        {entry.actor?.name && (
          <Text size="xs" c="dimmed">
            {entry.actor.email}
          </Text>
        )}
        {entry.address && (
          <Text size="xs" c="dimmed">
            from {entry.address}
          </Text>
        )}
        {entry.key && (
          <Badge size="xs" variant="default" tt="none">
            API key {entry.key.name}
          </Badge>
        )}
      </Group>
      <EntryDetails details={entry.details} />
    </>
  )
}

/** Shows the history of the resource. Its page can be gone, but its history remains. */
function ResourceName({ entry, name, address }: { entry: Entry; name: string; address: AuditAddress }) {
  return (
    <Anchor
      component={Link}
      href={addressWith(address, { resource: entry.entityId })}
      inherit
      fw={600}
      underline="always"
    >
      {name}
    </Anchor>
  )
}
