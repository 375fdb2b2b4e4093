'use client'

import { type DehydratedState, hydrate, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'

/** The smallest difference seen between the browser's clock and the server's: what their clocks differ by. */
let clockOffsetMs = Number.POSITIVE_INFINITY

/**
 * Gives queries that the server ran to the components below. Unlike `HydrationBoundary`, it also replaces older data
 * before the components render: they would otherwise fetch what has just arrived with the page.
 */
export function Hydrated(props: { state: DehydratedState; renderedAt: number; children: ReactNode }) {
  const { state, renderedAt, children } = props
  const client = useQueryClient()
  useMemo(() => {
    clockOffsetMs = Math.min(clockOffsetMs, Date.now() - renderedAt)
    hydrate(client, onOwnClock(state, clockOffsetMs))
  }, [client, state, renderedAt])
  return children
}

function onOwnClock({ mutations, queries }: DehydratedState, offsetMs: number): DehydratedState {
  return {
    mutations,
    queries: queries.map((query) => ({
      ...query,
      state: { ...query.state, dataUpdatedAt: query.state.dataUpdatedAt + offsetMs },
    })),
  }
}
