import { alertOf, type Tone } from './alert.ts'
import { apiUrl, type Preset, postJson } from './request.ts'

// PagerDuty, by its Events API v2: https://developer.pagerduty.com/docs/send-alert-event

const API = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' }
/** PagerDuty pages at once for `critical` and `error`; the others have low urgency. */
const SEVERITIES: Record<Tone, string> = { critical: 'critical', warning: 'warning', good: 'info', info: 'info' }

/** A failure and its reminders trigger one alert per incident, and the recovery resolves it. */
export const pagerdutyRequest: Preset = (message, { url, access = {} }) => {
  const { tone, subject, title, summary, facts, excerpt, links, dedupKey, isOver, at } = alertOf(message)
  const event = { routing_key: access.routingKey, dedup_key: dedupKey }
  const enqueue = apiUrl(url, API[access.region ?? 'us'], '/v2/enqueue')
  if (isOver) return postJson(enqueue, { ...event, event_action: 'resolve' })
  return postJson(enqueue, {
    ...event,
    event_action: 'trigger',
    client: 'Soundline',
    ...(links[0] && { client_url: links[0].url }),
    links: links.map(({ label, url }) => ({ href: url, text: label })),
    payload: {
      summary: title,
      source: subject,
      severity: SEVERITIES[tone],
      timestamp: at,
      class: message.type,
      custom_details: {
        Summary: summary,
        ...Object.fromEntries(facts.map(({ name, value }) => [name, value])),
        ...(excerpt && { Response: excerpt }),
      },
    },
  })
}
