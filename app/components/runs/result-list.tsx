'use client'

import { Anchor, Badge, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { versionsHref } from '../../client/addresses/versions-href.ts'
import type { Output } from '../../client/api.ts'
import { Instant, useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import { Table } from '../lists/table.tsx'
import { millisecondsText, responseTimeText } from '../numbers.ts'
import { StatusBadge } from './status-badge.tsx'

/** Results of a service in a table, each with a link to its page. */
export function ResultList(props: {
  serviceId: string
  results: UseQueryResult<Output<'results.list'>>
  onPage: (page: number) => void
  /** The sentence that is shown if there are no results. */
  empty: string
  /** The filters of the list as the end of a URL, which results keep for the next and the previous one. */
  search?: string
}) {
  const dateTimeText = useDateTimeText()
  const changes = versionChanges(props.results.data?.items ?? [])
  return (
    <PagedTable
      query={props.results}
      onPage={props.onPage}
      empty={<NoEntries>{props.empty}</NoEntries>}
      verticalSpacing={4}
      highlightOnHover
      miw={640}
      columns={[
        'Started',
        { children: 'Status', isPlain: true },
        'Response time',
        { children: 'Run duration', visibleFrom: 'sm' },
        'Agent',
        'Version',
      ]}
    >
      {(result) => (
        <Table.Tr key={result.id}>
          <Table.Td>
            <Anchor
              component={Link}
              href={`/services/${props.serviceId}/results/${result.id}${props.search ?? ''}`}
              size="sm"
            >
              {dateTimeText(result.startedAt)}
            </Anchor>{' '}
            <Text span size="xs" c="dimmed">
              <Instant at={result.startedAt} />
            </Text>
          </Table.Td>
          <Table.Td>
            <StatusBadge status={result.status} />{' '}
            {result.recheckOf !== null && (
              <Badge
                component={Link}
                href={`/services/${props.serviceId}/results/${result.recheckOf}`}
                variant="default"
                miw="max-content"
                style={{ cursor: 'pointer' }}
              >
                Recheck
              </Badge>
            )}
            {result.summary !== null && (
              <Text size="xs" c="dimmed" lineClamp={2} maw={420} style={{ overflowWrap: 'anywhere' }}>
                {result.summary}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{responseTimeText(result.totalResponseMs)}</Table.Td>
          <Table.Td visibleFrom="sm">{millisecondsText(result.runDurationMs)}</Table.Td>
          <Table.Td>{result.agentSlug}</Table.Td>
          <Table.Td>
            <Version serviceId={props.serviceId} version={result.scriptVersion} before={changes.get(result.id)} />
          </Table.Td>
        </Table.Tr>
      )}
    </PagedTable>
  )
}

/** A version that is new with this run leads to its change. */
function Version(props: { serviceId: string; version: number | null; before: number | undefined }) {
  const { serviceId, version, before } = props
  if (version === null || before === undefined) return version ?? '–'
  return (
    <Anchor
      component={Link}
      href={versionsHref(serviceId, before, version)}
      size="sm"
      title={`See what changed since version ${before}`}
    >
      {before} → {version}
    </Anchor>
  )
}

/** Returns the ids of the first runs of a version, each with the version before it. */
function versionChanges(items: Output<'results.list'>['items']): Map<string, number> {
  const versioned = items.filter(({ scriptVersion }) => scriptVersion !== null)
  const changes = versioned.flatMap(({ id, scriptVersion }, index): [string, number][] => {
    const before = versioned[index + 1]?.scriptVersion
    return before != null && scriptVersion !== null && before < scriptVersion ? [[id, before]] : []
  })
  return new Map(changes)
}
