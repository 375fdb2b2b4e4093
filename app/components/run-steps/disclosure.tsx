'use client'

import { type ReactNode, useState } from 'react'
import { ChevronRight } from '../icons.ts'
import styles from './disclosure.module.css'

/** A button that shows and hides what follows it. The content is rendered only while it is shown. */
export function Disclosure({
  label,
  isOpen = false,
  children,
}: {
  label: string
  isOpen?: boolean
  children: ReactNode
}) {
  const [open, setOpen] = useState(isOpen)
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.control} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight className={styles.chevron} size={16} aria-hidden />
        {label}
      </button>
      {open && <div className={styles.content}>{children}</div>}
    </div>
  )
}
