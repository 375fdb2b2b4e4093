'use client'

import { EmptyState, Paper } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shown instead of a list that is empty, with the action that adds to it. */
export function Empty(props: { icon: LucideIcon; title: string; description: ReactNode; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <EmptyState variant="light" icon={<props.icon aria-hidden />} title={props.title} description={props.description}>
        {props.action && <EmptyState.Actions>{props.action}</EmptyState.Actions>}
      </EmptyState>
    </Paper>
  )
}
