import { Anchor, Text } from '@mantine/core'
import { Fragment } from 'react'
import { durationText } from '#server/schemas/duration-text.ts'
import type { Output } from '../../client/api.ts'
import { RowCheckbox } from '../../components/inputs/row-checkbox.tsx'
import { Instant } from '../../components/instant.tsx'
import { Link } from '../../components/layout/link.tsx'
import { Table } from '../../components/lists/table.tsx'
import { IncidentBadge } from '../../components/runs/incident-badge.tsx'
import { SeverityBadge } from '../../components/runs/severity-badge.tsx'
import { causeParts } from '../../components/status/cause-parts.ts'
import styles from './incident-row.module.css'

export type FoundIncident = Output<'incidents.search'>['items'][number]

/** As on its page, only an open incident offers to be acknowledged, to members who may change its service. */
export function isSelectable({ state, acknowledgedAt, mayWrite }: FoundIncident): boolean {
  return mayWrite && state === 'open' && acknowledgedAt === null
}

export function IncidentRow(props: {
  incident: FoundIncident
  /** The longest duration on the page, which is the length of a whole bar. */
  longestMs: number
  /** The table has checkboxes, of the rows that can be acknowledged. */
  hasCheckboxes: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}) {
  const { incident, isSelected } = props
  return (
    <Table.Tr bg={isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      {props.hasCheckboxes && (
        <Table.Td>
          {isSelectable(incident) && (
            <RowCheckbox label={`Select ${incident.serviceName}`} checked={isSelected} onChange={props.onSelect} />
          )}
        </Table.Td>
      )}
      <Table.Td>
        <Cause incident={incident} />
      </Table.Td>
      <Table.Td>
        <span className={styles.badges}>
          <IncidentBadge state={incident.state} flappingSince={incident.flappingSince} size="sm" />
          <SeverityBadge severity={incident.severity} size="sm" />
        </span>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} href={`/services/${incident.serviceId}`} inherit>
          {incident.serviceName}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Duration incident={incident} longestMs={props.longestMs} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <InHand incident={incident} />
      </Table.Td>
      <Table.Td>
        <Agents incident={incident} />
      </Table.Td>
    </Table.Tr>
  )
}

/** What is wrong comes first, then the request: a long address must not hide it. */
function Cause({ incident }: { incident: FoundIncident }) {
  const { request, reason } = causeParts(incident.summary)
  return (
    <div className={styles.cause}>
      <Anchor component={Link} href={`/incidents/${incident.id}`} inherit fw={600}>
        {reason}
      </Anchor>{' '}
      {request && <span className={styles.request}>{request}</span>}
    </div>
  )
}

function Duration({ incident, longestMs }: { incident: FoundIncident; longestMs: number }) {
  const { durationMs, state } = incident
  const share = longestMs === 0 ? 0 : durationMs / longestMs
  return (
    <div className={styles.duration}>
      <span>{durationText(durationMs)}</span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.bar} data-state={state} style={{ width: `max(3px, ${Math.round(share * 100)}%)` }} />
      </span>
      <Text span size="xs" c="dimmed">
        began <Instant at={incident.failingSince} />
      </Text>
    </div>
  )
}

function InHand({ incident: { assignee, acknowledgedBy } }: { incident: FoundIncident }) {
  return (
    <>
      {assignee?.name ?? <None />}
      {acknowledgedBy && (
        <Text size="xs" c="dimmed">
          Acknowledged by {acknowledgedBy.name}
        </Text>
      )}
    </>
  )
}

function None() {
  return (
    <Text span c="dimmed">
      –
    </Text>
  )
}

/** The failing agents, such as `2 of 3: berlin, paris`; of a closed incident those that failed last. */
function Agents({ incident: { agents, state } }: { incident: FoundIncident }) {
  const failing = agents.filter(({ status }) => status !== 'success')
  if (agents.length === 0 || (state === 'closed' && failing.length === 0)) return <None />
  // One element: where a row has no columns, the cell would space its parts.
  return (
    <span>
      {state === 'open' && `${failing.length} of ${agents.length}${failing.length > 0 ? ': ' : ''}`}
      {failing.map(({ agentId, agentSlug }, index) => (
        <Fragment key={agentId}>
          {index > 0 && ', '}
          <span className={styles.agent}>{agentSlug}</span>
        </Fragment>
      ))}
    </span>
  )
}
