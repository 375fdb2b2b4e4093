import type { JobPayload } from '../../schedule/jobs.ts'
import { unlinked } from './text.ts'

/** To the maker of an invitation, when it was accepted and some of what it promised could not be given any more. */
export function lostPromisesMail(
  to: string,
  given: { organization: string; email: string; lost: string[]; url: string },
): JobPayload<'mail'> {
  const organization = unlinked(given.organization)
  const text = [
    `${unlinked(given.email)} accepted your invitation to ${organization}, but did not get all that it promised:`,
    given.lost.map((name) => `- ${unlinked(name)}`).join('\n'),
    'It was deleted, or you may not give access to it any more. Everything else was given.',
    `What the member reaches now:\n${given.url}`,
  ].join('\n\n')
  return { to, subject: `Not all of your invitation to ${organization} could be given`, text }
}
