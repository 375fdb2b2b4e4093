import { notify } from '../../client/notify.ts'
import { UndoDeletion } from './undo-deletion.tsx'

const SHOWN_MS = 20_000

/** Tells that a service or project is deleted, and offers to undo it. */
export function showUndo({ id, name }: { id: string; name: string }): void {
  notify({ autoClose: SHOWN_MS, message: <UndoDeletion id={id} name={name} /> })
}
