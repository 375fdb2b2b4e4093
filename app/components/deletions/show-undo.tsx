import { lazyDialog } from '../../client/lazy-dialog.ts'
import { notify } from '../../client/notify.ts'

const SHOWN_MS = 20_000

const UndoDeletion = lazyDialog(async () => (await import('./undo-deletion.tsx')).UndoDeletion)

/** Tells that a service or project is deleted, and offers to undo it. */
export function showUndo({ id, name }: { id: string; name: string }): void {
  notify({ autoClose: SHOWN_MS, message: <UndoDeletion id={id} name={name} /> })
}
