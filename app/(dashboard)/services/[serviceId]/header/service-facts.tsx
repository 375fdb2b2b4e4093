'use client'

import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Service } from '#server/schemas/services.ts'
import type { BoardService } from '#server/schemas/status/board.ts'
import { query } from '../../../../client/api.ts'
import { useMe } from '../../../../client/me.tsx'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import { Link } from '../../../../components/layout/link.tsx'
import { timingText } from '../../../../components/schedules/schedule-choice.ts'
import { hearersText } from './hearers.ts'
import styles from './service-facts.module.css'
import { useNextRun } from './use-next-run.ts'

/** More agents would make the line long; the tab Settings lists all. */
const AGENTS_MAX = 3

/** What a service monitors, when, from where, and who hears of a failure: one strip under its name, on each of its tabs. */
export function ServiceFacts({ service }: { service: Service }) {
  const { id } = service
  const status = useQuery(query('status.service', { id }))
  const base = `/services/${id}`
  return (
    <dl className={styles.facts}>
      <Fact title="Monitors">
        {status.data && <Monitored target={status.data.target} scriptHref={`${base}/script`} />}
      </Fact>
      <Fact title="Schedule">
        <Schedule service={service} />
      </Fact>
      <Fact title="Agents">{status.data && agentsText(status.data.agents)}</Fact>
      <Fact title="Notified">
        <Hearers id={id} href={`${base}/alerts`} />
      </Fact>
    </dl>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt className={styles.title}>{title}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}

/** The first call of the script, and how many steps it has. */
function Monitored({ target, scriptHref }: { target: BoardService['target']; scriptHref: string }) {
  if (!target) {
    return (
      <Anchor component={Link} href={scriptHref} inherit underline="always">
        No script yet
      </Anchor>
    )
  }
  const { method, url, host, path, steps } = target
  return (
    <>
      <span title={url}>
        <strong>{method}</strong> {host === null ? url : `${host}${path}`}
      </span>{' '}
      <Anchor component={Link} href={scriptHref} inherit underline="always" style={{ whiteSpace: 'nowrap' }}>
        {steps === 1 ? '1 step' : `${steps} steps`}
      </Anchor>
    </>
  )
}

function Schedule({ service }: { service: Service }) {
  const { zone } = useZone()
  const next = useNextRun(service)
  return (
    <>
      {timingText(service)}
      {next && <span className={styles.next}>, next {`${next} (${zoneName(zone)})`}</span>}
      {!service.isActive && ', switched off'}
    </>
  )
}

function agentsText(slugs: string[]): string {
  if (slugs.length === 0) return 'Any shared agent'
  const more = slugs.length - AGENTS_MAX
  return slugs.slice(0, AGENTS_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function Hearers({ id, href }: { id: string; href: string }) {
  const { user } = useMe()
  const alerting = useQuery(query('alerts.preview', { id }))
  if (!alerting.data) return null
  const text = hearersText(alerting.data, user.email)
  return (
    <Anchor component={Link} href={href} inherit underline="always">
      {text ?? (
        <Text span inherit c="var(--degraded-text)">
          Nobody
        </Text>
      )}
    </Anchor>
  )
}
