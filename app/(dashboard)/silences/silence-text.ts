import { type Silence, SilenceConfig } from '#server/schemas/silences.ts'
import { dateTimeText } from '../../components/instant.tsx'

const CHANNEL_LABELS: Record<string, string> = { email: 'Email', all: 'Everything to me', 'quiet-hours': 'Quiet hours' }

export function channelLabel(channel: string): string {
  return CHANNEL_LABELS[channel] ?? channel
}

/** What the text of `config` says; nothing where it says nothing this page knows. */
export function readConfig(config: string | null): SilenceConfig {
  if (config === null) return {}
  try {
    return SilenceConfig.parse(JSON.parse(config))
  } catch {
    return {}
  }
}

/** When a silence holds. */
export function periodText(silence: Silence): string {
  if (silence.quietHours) return silence.quietHours
  const { until } = readConfig(silence.config)
  return until ? `until ${dateTimeText(until)}` : 'until it is deleted'
}
