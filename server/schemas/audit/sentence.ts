import type { AuditDetails } from './details.ts'
import { ACTION_WORDS } from './words.ts'

type Entry = {
  action: string
  entityName: string | null
  actor: { name: string | null; email: string } | null
  details: AuditDetails
}

/** An entry in words: `who` `text` `name` `after`, such as `Ana` `changed the schedule of` `Checkout`. */
export type Sentence = { who: string; text: string; name: string | null; after: string }

/** Anyone can cause these without an account. */
const BY_ANYONE = new Set([
  'account.request_password_reset',
  'account.reset_password',
  'account.take_over',
  'session.refuse',
])

export function sentenceOf({ action, entityName, actor, details }: Entry): Sentence {
  const who = actor ? actor.name || actor.email : BY_ANYONE.has(action) ? 'Someone' : 'The system'
  const words = ACTION_WORDS[action]
  if (!words) return { who, text: `${actionLabel(action)}:`, name: entityName, after: '' }
  const text = typeof words.text === 'string' ? words.text : words.text(details)
  const name = words.isOwn && actor ? null : action.endsWith('.rename') ? former(details, entityName) : entityName
  return { who, text: text.replace(/ +/g, ' ').trim(), name, after: words.after?.(details) ?? '' }
}

/** Returns an action for the filter. Actions of other releases are shown by their names. */
export function actionLabel(action: string): string {
  return (ACTION_WORDS[action]?.label ?? action.replaceAll(/[._]/g, ' ')).replace(/ (of|to|for|as)$/, '')
}

/** The entry of a rename has the new name. */
function former({ from }: AuditDetails, name: string | null): string | null {
  return typeof from === 'string' ? from : name
}
