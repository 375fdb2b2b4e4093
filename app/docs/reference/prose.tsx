import styles from './reference.module.css'

/** A description from the OpenAPI document, in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return (
    <p className={styles.prose}>
      {text.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </p>
  )
}
