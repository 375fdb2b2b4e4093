'use client'

import { Box, ScrollArea } from '@mantine/core'
import styles from './code-block.module.css'
import { CopyIconButton } from './copy-icon-button.tsx'

/** Preformatted text that scrolls if it is long, with a button that copies it. */
export function CodeBlock({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) {
  return (
    <Box pos="relative">
      <CopyIconButton text={text} label={label} className={styles.copy} variant="default" />
      <ScrollArea.Autosize mah={480} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre className={styles.code} data-wrap={wrap || undefined}>
          {text}
        </pre>
      </ScrollArea.Autosize>
    </Box>
  )
}
