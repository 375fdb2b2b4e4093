import { unlinked } from '#server/mail/text.ts'
import type { Settings } from '#server/process/settings.ts'
import type { JobPayload } from '#server/schedule/jobs.ts'
import { summarize, type WebhookMessage } from '#server/webhooks/messages.ts'

type Named = { id: string; name: string }
type Data = {
  workspace: Named
  project: Named
  service: Named
  result: {
    id: string
    status: string
    startedAt: string
    agentSlug: string
    totalResponseMs: number
    error: string | null
  }
}

/** The mail about an event. Secrets are out of its payload since the run was recorded. */
export function alertMail(settings: Settings, to: string, message: WebhookMessage): JobPayload<'mail'> {
  const { workspace, project, service, result } = message.data as Data
  const summary = unlinked(summarize(message))
  const mark = message.type === 'service.recovered' ? 'Recovered' : 'Failed'
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
  lines.push('You get this because you have been given access to it. A silence in your settings keeps it from you.')
  const subject = `[${mark}] ${unlinked(service.name)} (${unlinked(workspace.name)} / ${unlinked(project.name)})`
  return { to, subject, text: lines.join('\n\n') }
}
