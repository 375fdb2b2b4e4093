import type { JobPayload } from '../../schedule/jobs.ts'
import { unlinked } from './text.ts'

// Mails about the address of an account. They do not contain the member's name, because the sender of the mail could have
// chosen it.

type Mail = JobPayload<'mail'>

const UNEXPECTED = 'If it was not you, ignore this mail: nothing changes unless the link is opened.'

/** To the new or never confirmed address of an account. */
export function confirmationMail(to: string, url: string): Mail {
  return mail(to, 'Confirm your email address for Soundline', [
    'Someone, probably you, asked to use this address for their account at Soundline.',
    `Sign in to that account, then open this link within a day:\n${url}`,
    UNEXPECTED,
  ])
}

/** Instead of the confirmation, when another account has the address. */
export function takenMail(to: string, url: string): Mail {
  return mail(to, 'Confirm your email address for Soundline', [
    'Someone, probably you, asked to use this address for their account at Soundline.',
    `Another account already has this address, so nothing changes. If you forgot its password, set a new one:\n${url}`,
    'If it was not you, ignore this mail.',
  ])
}

/** To the current address, before a change. */
export function changeAskedMail(to: string, next: string): Mail {
  return mail(to, 'Your email address at Soundline is about to change', [
    `Someone with your password, probably you, asked to change the address of your account to ${unlinked(next)}.`,
    'The address changes when the link in the mail to the new address is opened.',
    'If it was not you, change your password at once. This makes the link invalid.',
  ])
}

/** To the former address, after a change. */
export function changedMail(to: string, next: string): Mail {
  return mail(to, 'Your email address at Soundline was changed', [
    `Your account at Soundline now has the address ${unlinked(next)}. You cannot sign in with the former address any more.`,
    'If it was not you, tell the owner of your organization at once.',
  ])
}

function mail(to: string, subject: string, paragraphs: string[]): Mail {
  return { to, subject, text: paragraphs.join('\n\n') }
}
