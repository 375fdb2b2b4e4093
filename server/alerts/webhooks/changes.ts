import type { webhooks } from '#db/schema/webhooks.ts'
import { changedFields } from '../../audit.ts'
import { ACCESS_FIELDS } from '../../schemas/organization/webhook-presets.ts'
import type { WebhookConfig } from './config.ts'

type PlainFields = Pick<typeof webhooks.$inferSelect, 'name' | 'label' | 'method'>
type Changeable = { plain: PlainFields; config: WebhookConfig }

/**
 * Returns what an audit entry records of a changed webhook: of a URL the host, of headers the names, and for the rest of
 * the encrypted configuration only that it changed (`hidden`), because the audit log is not encrypted.
 */
export function webhookChanges(before: Changeable, after: Changeable): Record<string, unknown> {
  const fields = changedFields(shownFields(before), shownFields(after))
  const [old, now] = [before.config, after.config]
  const hidden = [
    ...(old.url === now.url ? [] : ['url']),
    ...(sameHeaders(old.headers, now.headers) ? [] : ['headers']),
    ...(old.body === now.body ? [] : ['body']),
    ...ACCESS_FIELDS.filter((field) => old.access?.[field] !== now.access?.[field]),
    // What is shown already says that its field changed.
  ].filter((field) => !(field === 'url' && 'host' in fields) && !(field in fields))
  if (hidden.length === 0) return fields
  const { changed: _, ...shown } = fields
  return { ...shown, hidden }
}

function shownFields({ plain, config }: Changeable) {
  const { name, label, method } = plain
  const host = URL.parse(config.url)?.host ?? null
  return {
    name,
    label,
    method,
    host,
    headers: Object.keys(config.headers).sort(),
    region: config.access?.region ?? null,
  }
}

function sameHeaders(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
}
