'use client'

import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'

const TICK_MS = 10_000

const RenderedAt = createContext(0)

/** Gives the server's clock to the first render in the browser, so that both write the same relative times. */
export function NowProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  return <RenderedAt value={renderedAt}>{children}</RenderedAt>
}

/** Returns the time in milliseconds since the epoch, updated every ten seconds by one timer for the whole page. */
export function useNow(): number {
  const renderedAt = useContext(RenderedAt)
  return useSyncExternalStore(subscribe, currentTick, () => renderedAt)
}

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** A time that is rendered before the first tick after a pause would lie in the future without this. */
function currentTick(): number {
  if (listeners.size === 0 && Date.now() - now > TICK_MS) now = Date.now()
  return now
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
