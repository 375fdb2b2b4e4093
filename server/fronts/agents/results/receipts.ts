import { z } from 'zod'
import { Id } from '../../../schemas/conventions.ts'
import type { Vault } from '../../../vault.ts'

/** The upload that a receipt is for: the same body in another call, attempt or run needs another receipt. */
export type ReceiptOf = { run: string; attempt: number; call: number }

const StoredBody = z.object({
  body: z.object({ storeId: Id, key: z.string(), bytes: z.int(), contentType: z.string().nullable() }),
  /** The start of a text body, without secrets. */
  excerpt: z.string().nullable(),
})
export type ReceivedBody = z.output<typeof StoredBody>

/** Seals the facts about a stored body, which the agent returns with the result, so that they need no table. */
export function sealReceipt(vault: Vault, of: ReceiptOf, received: ReceivedBody): string {
  return vault.seal(JSON.stringify(received), 'receipt', of.run, `${of.attempt} ${of.call}`).toString('base64url')
}

/** Returns what a receipt says; null when it is not this server's receipt for that call. */
export function openReceipt(vault: Vault, of: ReceiptOf, receipt: string): ReceivedBody | null {
  try {
    const text = vault.open(Buffer.from(receipt, 'base64url'), 'receipt', of.run, `${of.attempt} ${of.call}`)
    return StoredBody.parse(JSON.parse(text))
  } catch {
    return null
  }
}
