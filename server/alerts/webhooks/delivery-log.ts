import type { Vault } from '../../vault.ts'

// What deliveries sent and what receivers responded, as the delivery log keeps it. It is encrypted like the webhook,
// because a template can contain secrets, and a receiver can repeat them.

/** The body that a delivery sent last, or the response to one of its attempts. */
export type LoggedField = 'sentBody' | 'responseBody'

/** `id`: of the delivery or of the attempt. */
type Row = { id: string; organizationId: string }

/** Returns the sealed text in base64. */
export function sealLogged(vault: Vault, row: Row, field: LoggedField, text: string | null): string | null {
  if (text === null) return null
  return vault.seal(text, 'delivery', row.organizationId, contextOf(row, field)).toString('base64')
}

/** Returns null for a text whose key is no longer configured: the log is not worth an error. */
export function openLogged(vault: Vault, row: Row, field: LoggedField, sealed: string | null): string | null {
  if (sealed === null) return null
  try {
    return vault.open(Buffer.from(sealed, 'base64'), 'delivery', row.organizationId, contextOf(row, field))
  } catch {
    return null
  }
}

/** A text cannot be moved to another row or field. */
function contextOf({ id }: Row, field: LoggedField): string {
  return `${id}:${field}`
}
