import type { Vault } from '../vault.ts'

/** Values that a run brings, by scope and key: `s.base`. */
export type RunValues = Record<string, string>

type RunRef = { id: string; organizationId: string }

export function sealRunValues(vault: Vault, run: RunRef, values: RunValues): Buffer {
  return vault.seal(JSON.stringify(values), 'run', run.organizationId, run.id)
}

/** @throws Error as `Vault.open` */
export function openRunValues(vault: Vault, run: RunRef, sealed: Buffer): RunValues {
  return JSON.parse(vault.open(sealed, 'run', run.organizationId, run.id)) as RunValues
}
