'use client'

import { Box } from '@mantine/core'
import styles from './code-block.module.css'
import { CopyIconButton } from './copy-icon-button.tsx'

/** Preformatted text that scrolls if it is long, with a button that copies it. */
export function CodeBlock({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) {
  return (
    <Box pos="relative">
      <CopyIconButton text={text} label={label} className={styles.copy} variant="default" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section className={styles.frame} tabIndex={0} aria-label={label}>
        <pre className={styles.code} data-wrap={wrap || undefined}>
          {text}
        </pre>
      </section>
    </Box>
  )
}
