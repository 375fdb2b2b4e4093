'use client'

import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

/** A short text with a button that copies it. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code fz="sm" px="sm" py={6} style={{ overflowWrap: 'anywhere', flex: 1 }} aria-label={label}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'} withArrow>
            <ActionIcon
              variant="light"
              size="lg"
              color={copied ? 'teal' : 'deep'}
              onClick={copy}
              aria-label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
            >
              {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
