import { type Silence, SilenceConfig } from '#server/schemas/alerts/silences.ts'
import { recurrenceText } from '../../components/schedules/recurrence-choice.ts'

const CHANNEL_LABELS: Record<string, string> = { email: 'Email', all: 'All channels', 'quiet-hours': 'Quiet hours' }

export function channelLabel(channel: string): string {
  return CHANNEL_LABELS[channel] ?? channel
}

/** Parses the JSON of `config`. Returns an empty config if it is null or not understood. */
export function readConfig(config: string | null): SilenceConfig {
  if (config === null) return {}
  try {
    return SilenceConfig.parse(JSON.parse(config))
  } catch {
    return {}
  }
}

/** Returns when a silence applies: its quiet hours, or until when. */
export function periodText(silence: Silence, dateTimeText: (at: string) => string): string {
  if (silence.quietHours) return recurrenceText(silence.quietHours) ?? silence.quietHours
  const { until } = readConfig(silence.config)
  return until ? `until ${dateTimeText(until)}` : 'until it is deleted'
}
