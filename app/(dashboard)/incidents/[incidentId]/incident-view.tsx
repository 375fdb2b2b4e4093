'use client'

import { Alert, Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Incident, IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { durationText } from '#server/schemas/duration-text.ts'
import { query } from '../../../client/api.ts'
import { incidentTitle } from '../../../client/titles/titles.ts'
import { useTitle } from '../../../client/titles/use-title.ts'
import { useResourceAccess } from '../../../client/use-resource-access.ts'
import { Acknowledgement } from '../../../components/acknowledgement.tsx'
import { LostAgentsNotice } from '../../../components/agents/lost-agents-notice.tsx'
import { Instant, useDateTimeText } from '../../../components/instant.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { FailureCause } from '../../../components/runs/failure-cause.tsx'
import { IncidentBadge } from '../../../components/runs/incident-badge.tsx'
import { ResultList } from '../../../components/runs/result-list.tsx'
import { SeverityBadge } from '../../../components/runs/severity-badge.tsx'
import { StatusBadge } from '../../../components/runs/status-badge.tsx'
import { Handling } from './handling.tsx'
import { runsQuery } from './incident-runs.ts'
import { IncidentTimeline } from './incident-timeline.tsx'
import { NoteForm } from './note-form.tsx'
import { PostMortem } from './post-mortem.tsx'
import { RunComparison } from './run-comparison.tsx'

/** An incident: its cause, what the agents see, its runs, what happened during it, and who takes care of it. */
export function IncidentView({ id }: { id: string }) {
  const incident = useQuery(query('incidents.get', { id }))
  useTitle(incident.data && incidentTitle(incident.data))
  return <Loaded query={incident}>{(incident) => <IncidentFrame incident={incident} />}</Loaded>
}

function IncidentFrame({ incident }: { incident: IncidentDetails }) {
  const { id, serviceId, serviceName } = incident
  const { mayWrite } = useResourceAccess('service', serviceId)
  const resultHref = `/services/${serviceId}/results/${incident.firstResultId}`
  return (
    <PageFrame
      title={serviceName}
      crumbs={[{ label: 'Incidents', href: '/incidents' }]}
      badges={
        <>
          <IncidentBadge state={incident.state} flappingSince={incident.flappingSince} size="lg" />
          <SeverityBadge severity={incident.severity} size="lg" />
        </>
      }
      actions={
        <>
          <Button component={Link} href={`/services/${serviceId}`} variant="default">
            Open service
          </Button>
          {mayWrite && incident.state === 'open' && <Acknowledgement incident={incident} />}
        </>
      }
    >
      <LostAgentsNotice of={{ serviceId }} />
      {incident.state === 'open' && incident.flappingSince !== null && (
        <Alert color="orange" title="The service is flapping">
          It failed and recovered again and again. The incident stays open until nothing has changed for 15 minutes.
          Until then, no further messages are sent.
        </Alert>
      )}
      <FailureCause failure={incident.failure} resultHref={resultHref} />
      <IncidentFacts incident={incident} mayWrite={mayWrite} />
      <RunComparison incident={incident} />
      <Agents incident={incident} />
      <Section
        title="Timeline"
        intro={incident.timelineTruncated ? 'The latest entries. Older ones are not listed.' : undefined}
      >
        <IncidentTimeline entries={incident.timeline} serviceId={serviceId} />
        {mayWrite && <NoteForm id={id} />}
      </Section>
      <PostMortem incident={incident} mayWrite={mayWrite} />
      <Runs incident={incident} />
    </PageFrame>
  )
}

function IncidentFacts({ incident, mayWrite }: { incident: Incident; mayWrite: boolean }) {
  const dateTimeText = useDateTimeText()
  const { acknowledgedBy, acknowledgedAt, closedAt, lastRemindedAt } = incident
  return (
    <Facts isOneRow>
      <Fact title="Failing since">
        {dateTimeText(incident.failingSince)}
        <Text size="xs" c="dimmed">
          <Instant at={incident.failingSince} />
        </Text>
      </Fact>
      <Fact title={durationTitle(incident)}>{durationText(incident.durationMs)}</Fact>
      <Fact title="Acknowledged by">
        {acknowledgedBy && acknowledgedAt ? (
          <>
            {acknowledgedBy.name}
            <Text size="xs" c="dimmed">
              <Instant at={acknowledgedAt} />
            </Text>
          </>
        ) : (
          'No one yet'
        )}
      </Fact>
      {closedAt ? (
        <Fact title="Recovered">{dateTimeText(closedAt)}</Fact>
      ) : (
        <Fact title="Last reminder">{lastRemindedAt ? <Instant at={lastRemindedAt} /> : 'None'}</Fact>
      )}
      <Handling incident={incident} mayWrite={mayWrite} />
    </Facts>
  )
}

/** A service that flaps is up in between. */
function durationTitle({ closedAt, flappingSince }: Incident): string {
  if (flappingSince) return closedAt ? 'Flapped for' : 'Flapping for'
  return closedAt ? 'Was down for' : 'Down for'
}

function Agents({ incident: { agents, serviceId, state } }: { incident: Incident }) {
  return (
    <Section
      title="Agents"
      intro={
        state === 'open'
          ? 'The latest run on each agent of the service.'
          : 'The last run on each agent before the incident closed.'
      }
    >
      {agents.length === 0 ? (
        <NoEntries>No agent data is stored for this incident.</NoEntries>
      ) : (
        <ScrollTable
          miw={720}
          verticalSpacing="xs"
          columns={[
            'Agent',
            { children: 'Last run', isPlain: true },
            'Since',
            'Failed runs',
            { children: 'Cause', isPlain: true },
          ]}
        >
          {agents.map((agent) => (
            <Table.Tr key={agent.agentId}>
              <Table.Td>{agent.agentSlug}</Table.Td>
              <Table.Td>
                <StatusBadge status={agent.status} />
              </Table.Td>
              <Table.Td>
                <Instant at={agent.since} />
              </Table.Td>
              <Table.Td>{agent.failingRuns === 0 ? '–' : `${agent.failingRuns} in a row`}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {agent.summary ?? '–'}{' '}
                <Anchor
                  component={Link}
                  href={`/services/${serviceId}/results/${agent.resultId}`}
                  size="sm"
                  underline="always"
                >
                  See the result
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
    </Section>
  )
}

/** The runs from the first failing one to the recovery. */
function Runs({ incident }: { incident: Incident }) {
  const [page, setPage] = useState(1)
  const results = useQuery({
    ...query('results.list', runsQuery(incident, page)),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="Runs" intro="From the first failing run to the recovery, newest first.">
      <ResultList
        serviceId={incident.serviceId}
        results={results}
        onPage={setPage}
        empty="The results of these runs are no longer stored."
      />
    </Section>
  )
}
