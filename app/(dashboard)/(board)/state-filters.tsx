'use client'

import { SERVICE_STATES, type ServiceState, type StateCounts } from '#server/schemas/status/states.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { Link } from '../../components/layout/link.tsx'
import { boardHref, type ListAddress } from '../../components/service-list/list-address.ts'
import { StateIcon } from '../../components/status/state-badge.tsx'
import classes from './board.module.css'

/** States without services take no room, except those that matter. */
const HIDDEN_IF_EMPTY: ReadonlySet<ServiceState> = new Set(['unknown', 'pending', 'paused'])

/** The number of services in each state. Each is a link that shows only these, or all again. */
export function StateFilters({ address, counts }: { address: ListAddress; counts: StateCounts }) {
  return (
    <ul className={classes.states} aria-label="States">
      {SERVICE_STATES.map((state) => {
        const isCurrent = address.state === state
        const isEmpty = counts[state] === 0
        if (isEmpty && !isCurrent && HIDDEN_IF_EMPTY.has(state)) return null
        return (
          <li key={state}>
            <Link
              href={boardHref(address, { state: isCurrent ? undefined : state })}
              className={classes.state}
              aria-current={isCurrent ? 'true' : undefined}
              data-state={state}
              data-empty={isEmpty || undefined}
            >
              <StateIcon state={state} size={18} isDecoration />
              <span className={classes.count}>{counts[state].toLocaleString('en')}</span>
              <span>{statusLabel(state)}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
