'use client'

import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'
import { restoredText } from './restored-text.ts'

/** What a notification says after a deletion, with the button that undoes it. */
export function UndoDeletion({ id, name }: { id: string; name: string }) {
  const restore = useMutation(mutation('deletions.restore'))
  const text = restore.data
    ? restoredText(restore.data)
    : restore.error
      ? problemOf(restore.error).message
      : `${name} is deleted.`
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {!restore.isSuccess && (
        <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ id })}>
          Undo
        </Button>
      )}
    </Group>
  )
}
