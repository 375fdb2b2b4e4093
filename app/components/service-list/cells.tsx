'use client'

import dynamic from 'next/dynamic'
import type { BoardService } from '#server/schemas/status/board.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { Instant } from '../instant.tsx'
import { millisecondsText, uptimeText } from '../numbers.ts'
import { RunBars } from '../status/run-bars.tsx'
import { useSinceText } from '../status/use-since-text.ts'
import { ServiceSwitch } from '../switches/service-switch.tsx'
import type { ColumnKey } from './columns.ts'
import classes from './service-table.module.css'

// Few lists show it.
const Sparkline = dynamic(async () => (await import('../status/sparkline.tsx')).Sparkline)

/** What a column shows of a service. */
export function Cell({ column, service }: { column: ColumnKey; service: BoardService }) {
  switch (column) {
    case 'state':
      return <State service={service} />
    case 'runs':
      return <RunBars runs={service.runs} />
    case 'uptime24h':
      return uptimeText(service.uptime24h)
    case 'uptime7d':
      return uptimeText(service.uptime7d)
    case 'p95':
      return millisecondsText(service.p95Ms)
    case 'trend':
      return <Sparkline trend={service.trend} />
    case 'lastRun':
      return service.lastRunAt ? <Instant at={service.lastRunAt} /> : '–'
    case 'target':
      return <Target target={service.target} />
    case 'agents':
      return <Cut text={service.agents.length > 0 ? service.agents.join(', ') : 'Any'} />
    case 'schedule':
      return <Schedule service={service} />
    case 'on':
      return <ServiceSwitch service={service} mayWrite={service.mayWrite} />
  }
}

function State({ service }: { service: BoardService }) {
  const { state } = service
  const sinceText = useSinceText()
  const since = state === 'passing' ? null : sinceText(service)
  return (
    <span className={classes.state}>
      <b>{statusLabel(state)}</b>
      {since && (
        <time className={classes.dim} dateTime={service.since ?? undefined} suppressHydrationWarning>
          {` ${since}`}
        </time>
      )}
      {state === 'failing' && !service.isConfirmed && <small className={classes.line}>not confirmed</small>}
    </span>
  )
}

function Target({ target }: { target: BoardService['target'] }) {
  if (!target) return '–'
  return <Cut text={`${target.method} ${target.host ?? ''}${target.path}`} title={`${target.method} ${target.url}`} />
}

function Schedule({ service: { schedule, timezone } }: { service: BoardService }) {
  return (
    <>
      <code className={classes.cut} title={schedule}>
        {schedule}
      </code>
      {timezone && (
        <small className={`${classes.line} ${classes.cut}`} title={timezone}>
          {timezone}
        </small>
      )}
    </>
  )
}

function Cut({ text, title = text }: { text: string; title?: string }) {
  return (
    <span className={classes.cut} title={title}>
      {text}
    </span>
  )
}
