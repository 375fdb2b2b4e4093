import { type ComponentPropsWithoutRef, useId } from 'react'
import { ChevronsUpDown } from '../icons.ts'
import styles from './inputs.module.css'

/** Class and style are those of the field with its label. */
type Props = Omit<ComponentPropsWithoutRef<'select'>, 'children'> & {
  /** Above the field; a field without it needs `aria-label`. */
  label?: string
  options: readonly { value: string; label: string }[]
}

/** The browser's own select. */
export function SelectField({ label, options, className = '', style, ...select }: Props) {
  const id = useId()
  return (
    <div className={`${styles.field} ${className}`} style={style}>
      {label && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      <span className={styles.control}>
        <select id={id} className={styles.input} {...select}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronsUpDown size={14} aria-hidden />
      </span>
    </div>
  )
}
