'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Board, BoardQuery } from '#server/schemas/status/board.ts'
import { SERVICE_STATES } from '#server/schemas/status/states.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { query } from '../../../client/api.ts'
import { useNow } from '../../../client/now.tsx'
import { useZone } from '../../../client/zone.tsx'
import { zoneName } from '../../../client/zone-choice.ts'
import { Link } from '../../../components/layout/link.tsx'
import { relativeTimeText } from '../../../components/relative-time-text.ts'
import { STATE_LOOKS } from '../../../components/status/state-looks.ts'
import { zonedText } from '../../../components/zoned-text.ts'
import { type ScreenSize, screenSize, screensOf } from './screens.ts'
import { isLarge, Tile } from './tile.tsx'
import classes from './wall.module.css'

const SCREEN_MS = 12_000
/** The wall shows how old its data is, so it refetches even when nothing changes. */
const REFRESH_MS = 30_000

/** The status of all services for a screen on the wall. Tiles that do not fit on the screen take turns. */
export function Wall({ query: input, leaveHref }: { query: Partial<BoardQuery>; leaveHref: string }) {
  const [page, setPage] = useState(1)
  const [screen, setScreen] = useState(0)
  const [isHeld, setHeld] = useState(false)
  const board = useQuery({
    ...query('status.board', { ...input, page }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const size = useScreenSize()
  const data = board.data
  const screens = screensOf(data?.services ?? [], isLarge, size)
  const count = screens.length
  const pages = data ? Math.max(1, Math.ceil(data.total / data.pageSize)) : 1
  const shown = Math.min(screen, count - 1)

  useEffect(() => {
    // The services of the last page may have recovered.
    if (page > pages) return setPage(1)
    if (isHeld || (count === 1 && pages === 1)) return
    const timer = setTimeout(() => {
      setScreen((shown + 1) % count)
      if (shown + 1 >= count) setPage(page >= pages ? 1 : page + 1)
    }, SCREEN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, count, pages, shown, page])

  return (
    <div className={classes.wall}>
      <header className={classes.header}>
        <h1 className={classes.title}>Status</h1>
        <div className={classes.summary}>
          {data && <Counts counts={data.counts} />}
          <LostAgents />
          <LoneAgents />
        </div>
        <Clock at={board.dataUpdatedAt} isFailed={board.isError} />
      </header>
      {data?.services.length === 0 && <p className={classes.nothing}>No services</p>}
      <ul
        className={classes.tiles}
        aria-label="Services"
        style={{ '--columns': size.columns, '--rows': size.rows } as CSSProperties}
      >
        {screens[shown]?.map((service) => (
          <Tile key={service.id} service={service} />
        ))}
      </ul>
      <footer className={classes.footer}>
        {(count > 1 || pages > 1) && (
          <>
            <span>
              Screen {shown + 1} of {count}
              {pages > 1 && `, page ${page} of ${pages}`}
            </span>
            <button type="button" onClick={() => setHeld(!isHeld)}>
              {isHeld ? 'Resume' : 'Pause'}
            </button>
          </>
        )}
        <button type="button" onClick={() => document.documentElement.requestFullscreen()}>
          Full screen
        </button>
        <Link href={leaveHref}>Exit wall view</Link>
      </footer>
    </div>
  )
}

function Counts({ counts }: { counts: Board['counts'] }) {
  return (
    <ul className={classes.counts} aria-label="States">
      {SERVICE_STATES.filter((state) => counts[state] > 0 || state === 'failing').map((state) => {
        const { icon: Icon } = STATE_LOOKS[state]
        return (
          <li key={state} data-state={state} data-empty={counts[state] === 0 || undefined}>
            <Icon className={classes.icon} aria-hidden />
            <b>{counts[state].toLocaleString('en')}</b> {statusLabel(state)}
          </li>
        )
      })}
    </ul>
  )
}

function LostAgents() {
  const { data: lost = [] } = useQuery({ ...query('agents.lost', {}), refetchInterval: REFRESH_MS })
  if (lost.length === 0) return null
  const labels = lost.map(({ label }) => label).join(', ')
  return (
    <p className={classes.lost}>
      Lost {lost.length === 1 ? 'agent' : 'agents'}: {labels}
    </p>
  )
}

function LoneAgents() {
  const { data: lone = [] } = useQuery({ ...query('agents.lone'), refetchInterval: REFRESH_MS })
  return lone.map(({ slug, label, failed, compared }) => (
    <p key={slug} className={classes.lost}>
      {label} alone fails {failed} of {compared} services
    </p>
  ))
}

/** The time, and how old the data is. `at` is in milliseconds since the epoch. */
function Clock({ at, isFailed }: { at: number; isFailed: boolean }) {
  const now = useNow()
  const { zone } = useZone()
  const age = at === 0 ? 'no data' : `updated ${relativeTimeText(at, Math.max(at, now))}`
  return (
    <div className={classes.clock} data-old={isFailed || now - at > 2 * REFRESH_MS || undefined}>
      <time dateTime={new Date(now).toISOString()}>{zonedText(now, zone, { hour: '2-digit', minute: '2-digit' })}</time>
      <small>
        {zoneName(zone)}, {isFailed ? `connection lost, ${age}` : age}
      </small>
    </div>
  )
}

/** Returns how many tiles fit into the window. The server renders for a screen of 16 to 9. */
function useScreenSize(): ScreenSize {
  const [size, setSize] = useState(() => screenSize(1_920, 1_080))
  const frame = useRef(0)
  useEffect(() => {
    const measure = () => setSize(screenSize(window.innerWidth, window.innerHeight))
    const onResize = () => {
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(measure)
    }
    measure()
    window.addEventListener('resize', onResize)
    return () => {
      cancelAnimationFrame(frame.current)
      window.removeEventListener('resize', onResize)
    }
  }, [])
  return size
}
