import type { VaultPurpose } from '../vault.ts'

export type SealedColumn = {
  table: string
  column: string
  purpose: VaultPurpose
  /** Besides its row, a value is bound to this column. */
  owner: string
  /** For a column of text: what follows the row's id in the context of its values, which are in base64. */
  suffix?: string
}

/** Every column of sealed values. */
export const SEALED_COLUMNS: SealedColumn[] = [
  { table: 'variables', column: 'sealed', purpose: 'variable', owner: 'organization_id' },
  // The variables of deleted services, which can be restored.
  { table: 'deleted_rows', column: 'sealed', purpose: 'variable', owner: 'organization_id' },
  { table: 'run_requests', column: 'sealed', purpose: 'run', owner: 'organization_id' },
  { table: 'draft_runs', column: 'sealed', purpose: 'run', owner: 'organization_id' },
  { table: 'idempotent_answers', column: 'sealed', purpose: 'answer', owner: 'organization_id' },
  { table: 'webhooks', column: 'sealed', purpose: 'webhook', owner: 'organization_id' },
  { table: 'users', column: 'totp_secret', purpose: 'totp', owner: 'id' },
  {
    table: 'webhook_deliveries',
    column: 'sent_body',
    purpose: 'delivery',
    owner: 'organization_id',
    suffix: ':sentBody',
  },
  {
    table: 'webhook_attempts',
    column: 'response_body',
    purpose: 'delivery',
    owner: 'organization_id',
    suffix: ':responseBody',
  },
]
