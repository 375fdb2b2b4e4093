import { useId } from 'react'
import styles from './inputs.module.css'

/** A choice of a few in one strip, on pages that list things. */
export function Segments<Value extends string>(props: {
  label: string
  size?: 'xs'
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.segments} data-size={props.size}>
      {props.options.map(({ value, label }) => (
        <label key={value} className={styles.segment}>
          <input type="radio" name={name} checked={value === props.value} onChange={() => props.onChange(value)} />
          {label}
        </label>
      ))}
    </div>
  )
}
