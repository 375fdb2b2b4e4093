'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import styles from './commands.module.css'

/** The browser's own modal dialog: it keeps the focus inside, closes on Escape, and gives the focus back. */
export function CommandDialog(props: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it, as Escape does
    <dialog
      ref={dialog}
      aria-label={props.label}
      className={styles.dialog}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && props.onClose()}
    >
      <div className={styles.content}>{props.children}</div>
    </dialog>
  )
}
