'use client'

import { List, Text } from '@mantine/core'
import type { ToggleResult } from '#server/schemas/toggles.ts'
import { messageFor } from '../../client/error-messages.ts'

/** Reasons whose general messages do not fit here. */
const REASONS: Record<string, string> = {
  script_missing: 'it has no script yet.',
  field_invalid: 'its script has errors. Switch it on by itself to see them.',
  blocked_probe_target: 'its script targets a blocked address.',
}

/** The outcome of a bulk change. `done` names the change, such as `switched on`. */
export function ToggleOutcome({ result, done }: { result: ToggleResult; done: string }) {
  return (
    <>
      <Text size="sm">
        {result.changed} {done}, {result.unchanged} unchanged
        {result.skippedTotal > 0 && `, ${result.skippedTotal} skipped`}.
      </Text>
      {result.skipped.length > 0 && (
        <List size="sm">
          {result.skipped.map((service) => (
            <List.Item key={service.serviceId}>
              <strong>{service.name}</strong>: {REASONS[service.reason] ?? messageFor(service.reason, {})}
            </List.Item>
          ))}
        </List>
      )}
    </>
  )
}
