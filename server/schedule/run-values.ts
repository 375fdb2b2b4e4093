import { createHmac } from 'node:crypto'
import type { Vault } from '../vault.ts'

// The values that a run brings for itself alone, as they are stored with its request.

/** By scope and key: `s.base`. */
export type RunValues = Record<string, string>

type RunRef = { id: string; organizationId: string }

export function sealRunValues(vault: Vault, run: RunRef, values: RunValues): Buffer {
  return vault.seal(JSON.stringify(values), 'run', run.organizationId, run.id)
}

/** @throws Error as `Vault.open` */
export function openRunValues(vault: Vault, run: RunRef, sealed: Buffer): RunValues {
  return JSON.parse(vault.open(sealed, 'run', run.organizationId, run.id)) as RunValues
}

/** Returns a text that is equal for equal values and notes. It is keyed, so that it tells nothing about the values. */
export function digestRunValues(vault: Vault, values: RunValues, note: string | null): string {
  const [newest] = vault.derive('run values')
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', newest?.key ?? '')
    .update(JSON.stringify([sorted, note]))
    .digest('base64url')
}
