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
