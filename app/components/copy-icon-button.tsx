'use client'

import { ActionIcon, type ActionIconProps, CopyButton } from '@mantine/core'
import { Check, Copy } from './icons.ts'

/** A button with an icon that copies `text`. `label` says what the text is, such as `API key`. */
export function CopyIconButton({ text, label, ...button }: { text: string; label: string } & ActionIconProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          color={copied ? 'teal' : 'deep'}
          onClick={copy}
          title={copied ? 'Copied' : 'Copy'}
          aria-label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
          {...button}
        >
          {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  )
}
