import { z } from 'zod'
import { AllowedHosts } from '#server/schemas/host-patterns.ts'

/** Returns the hosts in the text of a form field, separated by whitespace or commas. */
export function parseHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '')
}

/** The schema of a form field with hosts. */
export const HostsField = z.string().superRefine((text, ctx) => {
  const hosts = parseHosts(text)
  const issue = AllowedHosts.safeParse(hosts).error?.issues[0]
  if (!issue) return
  const [at] = issue.path
  const host = typeof at === 'number' ? `“${hosts[at]}” ` : ''
  ctx.addIssue({ code: 'custom', message: `${host}${issue.message}` })
})

/** Returns a sentence about the hosts that a secret may be sent to. */
export function hostsText(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'May be sent to any host' : `May be sent to ${hosts.join(', ')} only`
}
