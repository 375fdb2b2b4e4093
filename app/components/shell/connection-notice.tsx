'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { LiveUpdates } from '../../client/live/updates.ts'
import { useNow } from '../../client/now.tsx'
import { CloudOff } from '../icons.ts'
import styles from './connection-notice.module.css'

/** Keeps the data of the page up to date, and says how old it is when that does not work. */
export function ConnectionNotice() {
  const client = useQueryClient()
  const [updates, setUpdates] = useState<LiveUpdates | null>(null)
  useEffect(() => {
    const started = new LiveUpdates(client)
    setUpdates(started)
    return () => started.stop()
  }, [client])
  // It shows a page of ours when the next page cannot be reached. A browser may refuse it, in a private window for example.
  useEffect(() => {
    navigator.serviceWorker?.register('/offline-worker.js').catch(() => {})
  }, [])
  return <div role="status">{updates && <LostConnection updates={updates} />}</div>
}

function LostConnection({ updates }: { updates: LiveUpdates }) {
  const { isLost, freshAt } = useSyncExternalStore(updates.subscribe, updates.current, updates.current)
  return isLost && <Age freshAt={freshAt} />
}

function Age({ freshAt }: { freshAt: number }) {
  // The shared clock may have ticked before the connection was lost.
  const [shownAt] = useState(Date.now)
  const ageMs = Math.max(useNow(), shownAt) - freshAt
  return (
    <p className={styles.notice}>
      <CloudOff size={17} aria-hidden />
      <span>
        Connection lost. Data is <span aria-live="off">{ageText(ageMs)}</span> old.
      </span>
    </p>
  )
}

/** Returns for example `2 min`. */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds}\u00a0s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 120 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h`
}
