'use client'

import { ActionIcon, Box, CopyButton, ScrollArea, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import styles from './code-block.module.css'

/** Preformatted text that scrolls if it is long, with a button that copies it. */
export function CodeBlock({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) {
  return (
    <Box pos="relative">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'} withArrow>
            <ActionIcon
              className={styles.copy}
              variant="default"
              onClick={copy}
              aria-label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
            >
              {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <ScrollArea.Autosize mah={480} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre className={styles.code} data-wrap={wrap || undefined}>
          {text}
        </pre>
      </ScrollArea.Autosize>
    </Box>
  )
}
