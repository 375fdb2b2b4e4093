'use client'

import { Code, Group } from '@mantine/core'
import { CopyIconButton } from './copy-icon-button.tsx'

/** A short text with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code fz="sm" px="sm" py={6} style={{ overflowWrap: 'anywhere', flex: 1 }} aria-label={label}>
        {text}
      </Code>
      <CopyIconButton text={text} label={label} variant="light" size="lg" />
    </Group>
  )
}
