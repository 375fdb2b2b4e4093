'use client'

import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import type { Week } from '#server/schemas/results/series.ts'
import { query } from '../../../../client/api.ts'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import { Link } from '../../../../components/layout/link.tsx'
import { Section } from '../../../../components/layout/section.tsx'
import { ScrollSideways } from '../../../../components/lists/scroll-sideways.tsx'
import { percentText } from '../../../../components/numbers.ts'
import { WEEK_DAYS } from '../history/selection.ts'
import { cellText, DAYS } from './cell-text.ts'
import styles from './failure-heatmap.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** The height of the grid, kept free while it loads. */
const GRID_HEIGHT = 212

/** When runs fail: by weekday and hour on the clocks of the zone. A cell leads to its failed runs. */
export function FailureHeatmap({ serviceId }: { serviceId: string }) {
  const { zone } = useZone()
  const week = useQuery(query('statistics.week', { id: serviceId, days: WEEK_DAYS, zone }))
  return (
    <Section
      title="When runs fail"
      intro={`Failed runs by weekday and hour, ${zoneName(zone)}, over the last ${WEEK_DAYS} days.`}
    >
      {!week.data ? (
        <Skeleton height={GRID_HEIGHT} aria-busy="true" aria-label="Loading" />
      ) : (
        <div style={{ minHeight: GRID_HEIGHT }}>
          {week.data.totalFailed === 0 ? (
            <Text size="sm" c="dimmed">
              {week.data.totalRuns === 0
                ? `No runs in the last ${WEEK_DAYS} days.`
                : `No failures in ${week.data.totalRuns.toLocaleString('en')} runs.`}
            </Text>
          ) : (
            <Grid serviceId={serviceId} week={week.data} />
          )}
        </div>
      )}
    </Section>
  )
}

/** One tab stop; the arrow keys move between the cells with failures. */
function Grid({ serviceId, week }: { serviceId: string; week: Week }) {
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const failing = week.cells.filter((cell) => cell.failed > 0).map(nameOf)
  const stop = current !== null && failing.includes(current) ? current : failing[0]
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(grid.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key.startsWith('Arrow') ? -1 : 0
    const next = links[at + step]
    if (step === 0 || at < 0 || !next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <ScrollSideways label="Failed runs by weekday and hour">
      <table ref={grid} className={styles.grid} aria-label="Failed runs by weekday and hour" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {week.cells.slice(index * 24, index * 24 + 24).map((cell) => (
                <Cell
                  key={cell.hour}
                  serviceId={serviceId}
                  cell={cell}
                  isStop={nameOf(cell) === stop}
                  onFocus={() => setCurrent(nameOf(cell))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  )
}

type CellProps = { serviceId: string; cell: Week['cells'][number]; isStop: boolean; onFocus: () => void }

function Cell({ serviceId, cell, isStop, onFocus }: CellProps) {
  const { weekday, hour, runs, failed } = cell
  const text = `${cellText(weekday, hour)}: ${failed} of ${runs} runs failed (${percentText(failed, runs)})`
  const share = runs === 0 ? 0 : failed / runs
  return (
    <td
      title={text}
      data-empty={runs === 0 || undefined}
      style={{ '--share': `${Math.round(20 + share * 80) * Math.sign(failed)}%` } as CSSProperties}
    >
      {failed > 0 && (
        <Link
          href={`/services/${serviceId}?status=failed&cell=${nameOf(cell)}#results`}
          aria-label={text}
          tabIndex={isStop ? 0 : -1}
          onFocus={onFocus}
        >
          {failed}
        </Link>
      )}
    </td>
  )
}

/** The name of a cell in URLs. */
function nameOf({ weekday, hour }: { weekday: number; hour: number }): string {
  return `${weekday}-${hour}`
}
