import { useEffect, useRef } from 'react'
import styles from './inputs.module.css'

/** Selects a row of a table, or all of them. */
export function RowCheckbox(props: {
  label: string
  checked: boolean
  /** Some of the rows are selected. */
  isPartial?: boolean
  onChange: (checked: boolean) => void
}) {
  const { isPartial = false } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartial
  }, [isPartial])
  return (
    <input
      ref={input}
      type="checkbox"
      className={styles.checkbox}
      aria-label={props.label}
      checked={props.checked}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  )
}
