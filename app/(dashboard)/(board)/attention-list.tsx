'use client'

import { Text, Title } from '@mantine/core'
import type { BoardService } from '#server/schemas/status/board.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { LabelBadge } from '../../components/label-badge.tsx'
import { Link } from '../../components/layout/link.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { MaintenanceBadge } from '../../components/maintenance/maintenance-badge.tsx'
import { causeParts } from '../../components/status/cause-parts.ts'
import { RunBars } from '../../components/status/run-bars.tsx'
import { StateBadge } from '../../components/status/state-badge.tsx'
import { useSinceText } from '../../components/status/use-since-text.ts'
import classes from './board.module.css'
import { Numbers } from './numbers.tsx'

/** The services that are failing, then those that are degraded, then those of which nothing is known. */
export function AttentionList({ services }: { services: BoardService[] }) {
  return (
    <section aria-labelledby="attention">
      <Title order={2} fz="md" id="attention" mb={6}>
        Needs attention
      </Title>
      <ul className={classes.attention}>
        {services.map((service) => (
          <li key={service.id} className={classes.wrong} data-state={service.state}>
            <div className={classes.what}>
              <div className={classes.heading}>
                <RowLink href={`/services/${service.id}`}>{service.name}</RowLink>
                <LabelBadge label={service.label} size="sm" />
                <StateBadge state={service.state} size="sm">
                  {`${statusLabel(service.state)}${service.state === 'failing' && !service.isConfirmed ? ', not confirmed' : ''}`}
                </StateBadge>
                <MaintenanceBadge maintenance={service.maintenance} />
                <Since service={service} />
              </div>
              {service.cause && <Cause text={service.cause} />}
              <Text size="xs" c="dimmed" className={classes.cause} component="div">
                {service.workspaceName} / {service.projectName}
                <Acknowledgement incident={service.incident} />
              </Text>
            </div>
            <RunBars runs={service.runs} />
            <Numbers service={service} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Cause({ text }: { text: string }) {
  const { request, reason } = causeParts(text)
  return (
    <>
      <Text size="sm" className={classes.cause} lineClamp={2}>
        {reason}
      </Text>
      {request && (
        <Text size="xs" c="dimmed" truncate title={request}>
          {request}
        </Text>
      )}
    </>
  )
}

function Since({ service }: { service: BoardService }) {
  const sinceText = useSinceText()
  if (service.since === null) return null
  return (
    <Text size="sm" c="dimmed" component="time" dateTime={service.since} suppressHydrationWarning>
      {sinceText(service)}
    </Text>
  )
}

function Acknowledgement({ incident }: { incident: BoardService['incident'] }) {
  if (!incident) return null
  return (
    <>
      {' · '}
      <Link href={`/incidents/${incident.id}`} className={classes.link}>
        {incident.acknowledgedAt ? `Acknowledged by ${incident.acknowledgedBy}` : 'Not acknowledged'}
      </Link>
    </>
  )
}
