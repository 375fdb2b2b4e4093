import type { Silence, SilenceConfig } from '#server/schemas/alerts/silences.ts'
import { windowText } from '../../components/schedules/recurrence-words.ts'

const CHANNEL_LABELS: Record<string, string> = { email: 'Email', all: 'All channels', 'quiet-hours': 'Quiet hours' }

export function channelLabel(channel: string): string {
  return CHANNEL_LABELS[channel] ?? channel
}

/** Parses the JSON of `config`, which the server checks when it is saved. What is not understood is left out. */
export function readConfig(config: string | null): SilenceConfig {
  try {
    const { events, until } = JSON.parse(config ?? '{}')
    return { ...(Array.isArray(events) && { events }), ...(typeof until === 'string' && { until }) }
  } catch {
    return {}
  }
}

/** Returns when a silence applies: its quiet hours, or until when. */
export function periodText(silence: Silence, dateTimeText: (at: string) => string): string {
  if (silence.quietHours) return windowText(silence.quietHours, null)
  const { until } = readConfig(silence.config)
  return until ? `until ${dateTimeText(until)}` : 'until it is deleted'
}
