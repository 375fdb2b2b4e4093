import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IconComponent } from '../icons.ts'
import styles from './empty.module.css'

/** Shown instead of a list that is empty, with the action that adds to it. */
export function Empty(props: { icon: IconComponent; title: string; description: ReactNode; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <div className={styles.empty}>
        <span className={styles.icon}>
          <props.icon size={48} aria-hidden />
        </span>
        <p className={styles.title}>{props.title}</p>
        <p className={styles.description}>{props.description}</p>
        {props.action}
      </div>
    </Paper>
  )
}
