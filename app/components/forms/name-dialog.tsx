'use client'

import { lazyDialog } from '../../client/lazy-dialog.ts'

export const NameDialog = lazyDialog(async () => (await import('./opened-name-dialog.tsx')).OpenedNameDialog)
