import { z } from 'zod'
import { AllowedHosts } from '#server/schemas/host-patterns.ts'

/** Hosts as a form holds them: one a line, or with commas between. */
export function parseHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '')
}

/** The text of a form's field, held against the rules of the hosts in it. */
export const HostsField = z.string().superRefine((text, ctx) => {
  const hosts = parseHosts(text)
  const issue = AllowedHosts.safeParse(hosts).error?.issues[0]
  if (!issue) return
  const [at] = issue.path
  const host = typeof at === 'number' ? `“${hosts[at]}” ` : ''
  ctx.addIssue({ code: 'custom', message: `${host}${issue.message}` })
})

/** What the hosts of a secret mean, in a line. */
export function hostsText(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'May be sent to any host' : `May be sent to ${hosts.join(', ')} only`
}
