'use client'

import { List, Stack, Text } from '@mantine/core'
import { countText, namesText, type Plan } from './plan.ts'

/** What a bulk change is going to do: to how many services, from what to what, and which it leaves out. */
export function BulkSummary({ plan: { changes, leftOut } }: { plan: Plan }) {
  const byStep = Map.groupBy(changes, ({ from, to }) => (from === null ? `to ${to}` : `${from} → ${to}`))
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason)
  return (
    <Stack gap={6} component="section" aria-label="Summary">
      <Text size="sm" fw={600}>
        {changes.length === 0 ? 'Changes nothing' : `Changes ${countText(changes.length)}`}
        {leftOut.length > 0 && `, leaves out ${leftOut.length}`}
      </Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {[...byStep].map(([step, own]) => (
          <List.Item key={step}>
            <strong>{step}</strong>: {namesText(own.map(({ name }) => name))}
          </List.Item>
        ))}
        {[...byReason].map(([reason, own]) => (
          <List.Item key={reason} c="dimmed">
            Left out, {reason}: {namesText(own.map(({ name }) => name))}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
