import type { JobPayload } from '../../schedule/jobs.ts'
import { unlinked } from './text.ts'

/** To the owner, when a member is removed or disabled whose agent keys still work. `names` are of machines, with their agents. */
export function agentKeyMail(
  to: string,
  given: { organization: string; email: string; event: 'removed' | 'disabled'; names: string[]; url: string },
): JobPayload<'mail'> {
  const { organization, email, event, names, url } = given
  const text = [
    `${unlinked(email)} was ${event === 'removed' ? 'removed from' : 'disabled in'} ${unlinked(organization)}. Agent keys that they created still work:`,
    names.map((name) => `- ${unlinked(name)}`).join('\n'),
    `Revoke the keys of machines that they may still control:\n${url}`,
  ].join('\n\n')
  return { to, subject: `Agent keys of a ${event} member of ${unlinked(organization)}`, text }
}
