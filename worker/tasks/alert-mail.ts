import { unlinked } from '#server/mail/text.ts'
import type { Settings } from '#server/process/settings.ts'
import type { JobPayload } from '#server/schedule/jobs.ts'
import { summarize, type WebhookMessage } from '#server/webhooks/messages.ts'

type NamedResource = { id: string; name: string }
type EventData = {
  workspace: NamedResource
  project: NamedResource
  service: NamedResource
  result: {
    id: string
    status: string
    startedAt: string
    agentSlug: string
    totalResponseMs: number
    error: string | null
  }
}

/** Returns the mail about an event. The payload contains no secrets: they are removed before a run is stored. */
export function alertMail(settings: Settings, to: string, message: WebhookMessage): JobPayload<'mail'> {
  const { workspace, project, service, result } = message.data as EventData
  const summary = unlinked(summarize(message))
  const label = message.type === 'service.recovered' ? 'Recovered' : 'Failed'
  const lines = [
    `${summary}.`,
    [
      `Workspace: ${unlinked(workspace.name)}`,
      `Project: ${unlinked(project.name)}`,
      `Service: ${unlinked(service.name)}`,
      `Run: ${result.status} on ${result.agentSlug}, started ${result.startedAt}, ${result.totalResponseMs} ms`,
    ].join('\n'),
  ]
  if (settings.BASE_URL) lines.push(`${settings.BASE_URL}/services/${service.id}/results/${result.id}`)
  lines.push('You receive this because you have access to this service. Add a silence to stop these mails.')
  const subject = `[${label}] ${unlinked(service.name)} (${unlinked(workspace.name)} / ${unlinked(project.name)})`
  return { to, subject, text: lines.join('\n\n') }
}
