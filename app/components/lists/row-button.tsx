import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = Pick<ButtonProps, 'color' | 'loading'> & {
  /** What screen readers say, such as `Remove Ada Lovelace`. */
  label: string
  onClick: () => void
  children: ReactNode
}

/** An action on one row of a table. */
export function RowButton({ label, ...props }: Props) {
  return <Button size="compact-sm" variant="subtle" aria-label={label} {...props} />
}
