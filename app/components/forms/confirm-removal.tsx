'use client'

import { useState } from 'react'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import type { ConfirmationProps } from './confirmation.tsx'

const Confirmation = lazyDialog(async () => (await import('./confirmation.tsx')).Confirmation)

/** Asks for confirmation before something is deleted. */
export function ConfirmRemoval(props: ConfirmationProps) {
  const [isUsed, setUsed] = useState(props.opened)
  if (props.opened && !isUsed) setUsed(true)
  return isUsed ? <Confirmation {...props} /> : null
}
