import { type Silence, SilenceConfig } from '#server/schemas/silences.ts'
import { clockText } from '../../components/instant.tsx'

const CHANNELS: Record<string, string> = { email: 'Email', all: 'Everything to me', 'quiet-hours': 'Quiet hours' }

export function channelWord(channel: string): string {
  return CHANNELS[channel] ?? channel
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
export function extentText(silence: Silence): string {
  if (silence.quietHours) return silence.quietHours
  const { until } = readConfig(silence.config)
  return until ? `until ${clockText(until)}` : 'until it is deleted'
}
