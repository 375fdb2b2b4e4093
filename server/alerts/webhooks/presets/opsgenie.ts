import { clip } from '../text.ts'
import { alertOf, type Tone } from './alert.ts'
import { apiUrl, type Preset, postJson } from './request.ts'

// Opsgenie, by its Alert API: https://docs.opsgenie.com/docs/alert-api

const API = { us: 'https://api.opsgenie.com', eu: 'https://api.eu.opsgenie.com' }
const MESSAGE_MAX = 130
const PRIORITIES: Record<Tone, string> = { critical: 'P2', warning: 'P4', good: 'P5', info: 'P5' }

/** A failure creates one alert per incident, its reminders are counted there, and the recovery closes it. */
export const opsgenieRequest: Preset = (message, { url, access = {} }) => {
  const { tone, subject, title, summary, facts, excerpt, links, dedupKey, isOver } = alertOf(message)
  const headers: [string, string][] = [['Authorization', `GenieKey ${access.apiKey}`]]
  const alerts = (path: string) => apiUrl(url, API[access.region ?? 'us'], `/v2/alerts${path}`)
  const source = 'Soundline'
  if (isOver) {
    const path = `/${encodeURIComponent(dedupKey)}/close?identifierType=alias`
    return postJson(alerts(path), { source, note: summary }, headers)
  }
  return postJson(
    alerts(''),
    {
      message: clip(title, MESSAGE_MAX),
      alias: dedupKey,
      description: [summary, ...(excerpt ? [excerpt] : []), ...links.map(({ label, url }) => `${label}: ${url}`)].join(
        '\n\n',
      ),
      details: Object.fromEntries(facts.map(({ name, value }) => [name, value])),
      entity: subject,
      tags: ['soundline', message.type],
      source,
      priority: PRIORITIES[tone],
    },
    headers,
  )
}
