import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './inputs.module.css'

type Props = Omit<ComponentProps<'input'>, 'className' | 'style'> & {
  /** Above the field; a field without it needs `aria-label`. */
  label?: string
  icon?: ReactNode
}

/** A field for text or a date outside of forms. */
export function TextField({ label, icon, ...input }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      {label && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      <span className={styles.control}>
        {icon}
        <input id={id} className={styles.input} {...input} />
      </span>
    </div>
  )
}
