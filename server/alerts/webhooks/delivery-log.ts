import type { Vault } from '../../vault.ts'

// Request and response of a delivery, as the delivery log keeps them. They are encrypted like the webhook, because a
// template can contain secrets, and a receiver can repeat them.

/** A sealed text in base64. */
type Sealed = string | null
type Row = { id: string; organizationId: string }
export type SealedExchange = { sentBody: Sealed; responseBody: Sealed }

const FIELDS = ['sentBody', 'responseBody'] as const
type Field = (typeof FIELDS)[number]

export function sealExchange(vault: Vault, row: Row, exchange: Record<Field, string | null>): SealedExchange {
  const seal = (field: Field) => {
    const text = exchange[field]
    return text === null
      ? null
      : vault.seal(text, 'delivery', row.organizationId, contextOf(row, field)).toString('base64')
  }
  return { sentBody: seal('sentBody'), responseBody: seal('responseBody') }
}

/** Returns null for a text whose key is no longer configured: the log is not worth an error. */
export function openExchange(vault: Vault, row: Row & SealedExchange): Record<Field, string | null> {
  const open = (field: Field) => {
    const sealed = row[field]
    if (sealed === null) return null
    try {
      return vault.open(Buffer.from(sealed, 'base64'), 'delivery', row.organizationId, contextOf(row, field))
    } catch {
      return null
    }
  }
  return { sentBody: open('sentBody'), responseBody: open('responseBody') }
}

/** The two texts of a row cannot be swapped. */
function contextOf({ id }: Row, field: Field): string {
  return `${id}:${field}`
}
