import { alertOf } from './alert.ts'
import { type Preset, postJson } from './request.ts'

// Grafana OnCall and Grafana IRM, by an integration "Formatted webhook":
// https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook

/** A failure and its reminders are one alert group per incident, and the recovery resolves it. */
export const onCallRequest: Preset = (message, { url }) => {
  const { title, summary, facts, excerpt, links, dedupKey, isOver } = alertOf(message)
  return postJson(url, {
    alert_uid: dedupKey,
    title,
    state: isOver ? 'ok' : 'alerting',
    ...(links[0] && { link_to_upstream_details: links[0].url }),
    message: [summary, ...facts.map(({ name, value }) => `${name}: ${value}`), ...(excerpt ? [excerpt] : [])].join(
      '\n',
    ),
  })
}
