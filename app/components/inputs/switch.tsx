import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import styles from './inputs.module.css'

type Props = Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'role' | 'className'> & { label?: ReactNode }

/** A switch in plain HTML, because a page shows a hundred of them: rendering Mantine's held the web process for too long. */
export function Switch({ label, ...input }: Props) {
  return (
    <label className={styles.switchLabel}>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its state itself */}
      <input type="checkbox" role="switch" className={styles.switch} {...input} />
      {label}
    </label>
  )
}
