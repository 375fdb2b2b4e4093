import type { Field } from './fields.ts'
import { Prose } from './prose.tsx'
import styles from './reference.module.css'

type Props = {
  fields: Field[]
  /** Fields of a response are there unless they are optional; those of a request are optional unless they are required. */
  isResponse?: boolean
}

/** Parameters or fields with their types. The fields of an object within are folded. */
export function FieldList({ fields, isResponse = false }: Props) {
  return (
    <ul className={styles.fields}>
      {fields.map((field) => (
        <li key={field.name}>
          <div className={styles.field}>
            <code>{field.name}</code>
            <span className={styles.dimmed}>{field.type}</span>
            {!isResponse && field.isRequired && <span className={styles.required}>required</span>}
            {isResponse && !field.isRequired && <span className={styles.dimmed}>optional</span>}
          </div>
          {field.description && <Prose text={field.description} />}
          {field.values.length > 0 && <Values values={field.values} isOpen={field.isOpen} />}
          {field.facts.length > 0 && <p className={styles.dimmed}>{sentence(field.facts.join(', '))}</p>}
          {field.fields.length > 0 && (
            <FoldedFields title={`Fields of ${field.name}`} fields={field.fields} isResponse={isResponse} />
          )}
        </li>
      ))}
    </ul>
  )
}

export function FoldedFields({ title, ...list }: Props & { title: string }) {
  return (
    <details className={styles.folded}>
      <summary>{title}</summary>
      <FieldList {...list} />
    </details>
  )
}

function Values({ values, isOpen }: { values: string[]; isOpen: boolean }) {
  return (
    <p className={styles.dimmed}>
      One of{' '}
      {values.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <code>{value}</code>
        </span>
      ))}
      {isOpen && '; more can be added'}.
    </p>
  )
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
