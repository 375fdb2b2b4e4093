import { alertOf, type Tone } from './alert.ts'
import { bearer, type Preset, postJson } from './request.ts'

// incident.io, by an HTTP alert source: https://api-docs.incident.io/tag/Alert-Events-V2#operation/Alert-Events-V2_CreateHTTP

const SEVERITIES: Record<Tone, string> = { critical: 'critical', warning: 'warning', good: 'info', info: 'info' }

/** A failure and its reminders fire one alert per incident, and the recovery resolves it. */
export const incidentIoRequest: Preset = (message, { url, access = {} }) => {
  const { tone, subject, title, summary, facts, excerpt, links, dedupKey, isOver } = alertOf(message)
  return postJson(
    url,
    {
      title,
      description: [summary, ...(excerpt ? [excerpt] : [])].join('\n\n'),
      deduplication_key: dedupKey,
      status: isOver ? 'resolved' : 'firing',
      ...(links[0] && { source_url: links[0].url }),
      metadata: {
        source: 'Soundline',
        type: message.type,
        severity: SEVERITIES[tone],
        subject,
        ...Object.fromEntries(facts.map(({ name, value }) => [name.toLowerCase().replaceAll(' ', '_'), value])),
      },
    },
    [bearer(access.token)],
  )
}
