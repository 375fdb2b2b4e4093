import type { BoardService } from '#server/schemas/status/board.ts'
import { useNow } from '../../client/now.tsx'
import { useZone } from '../../client/zone.tsx'
import { zonedText } from '../zoned-text.ts'
import { elapsedText } from './elapsed-text.ts'

const DAY_MS = 86_400_000
const TIME = { hour: '2-digit', minute: '2-digit' } as const

/**
 * Returns a function that writes since when a service is in its state: `for 12 min`, or `since 12:01` while it is unknown.
 */
export function useSinceText(): (service: Pick<BoardService, 'state' | 'since'>) => string | null {
  const now = useNow()
  const { zone } = useZone()
  return ({ state, since }) => {
    if (since === null) return null
    const ms = now - Date.parse(since)
    if (state !== 'unknown') return `for ${elapsedText(ms)}`
    return `since ${zonedText(since, zone, ms < DAY_MS ? TIME : { ...TIME, day: 'numeric', month: 'short' })}`
  }
}
