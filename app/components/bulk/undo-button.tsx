'use client'

import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { problemOf } from '../../client/problem.ts'
import { countText } from './plan.ts'
import type { Undo } from './undo.ts'

/** Takes a bulk change back, and then says what came of it. */
export function UndoButton({ undo, text }: { undo: Undo; text?: string }) {
  const run = useMutation({ mutationFn: undo })
  const { data, error } = run
  const outcome = data
    ? `Undone: ${countText(data.done)}.${data.skipped > 0 ? ` ${data.skipped} changed since, and stay as they are.` : ''}`
    : error
      ? problemOf(error).message
      : text
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      {outcome && (
        <Text size="sm" role="status">
          {outcome}
        </Text>
      )}
      {!data && (
        <Button size="compact-sm" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
          Undo
        </Button>
      )}
    </Group>
  )
}
