import type { ReactNode } from 'react'
import type { IconComponent } from '../icons.ts'
import styles from './empty.module.css'

/**
 * Shown instead of a list that is empty. The description is one sentence that says what to do first, and the action is its
 * button.
 */
export function Empty(props: { icon: IconComponent; title: string; description: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <props.icon className={styles.icon} size={32} strokeWidth={1.5} aria-hidden />
      <p className={styles.title}>{props.title}</p>
      <p className={styles.description}>{props.description}</p>
      {props.action}
    </div>
  )
}
