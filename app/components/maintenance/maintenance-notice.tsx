'use client'

import { Alert, Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServiceMaintenance } from '#server/schemas/maintenances/maintenances.ts'
import { Wrench } from '../icons.ts'
import { useDateTimeText } from '../instant.tsx'
import { Link } from '../layout/link.tsx'

type Shown = Pick<ServiceMaintenance, 'mode' | 'until' | 'note' | 'by'>

/** Says that a maintenance holds, until when, who started it, and why. */
export function MaintenanceNotice({ of, what, children }: { of: Shown; what: string; children?: ReactNode }) {
  const dateTimeText = useDateTimeText()
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<Wrench size={18} aria-hidden />}
      title={`Under maintenance until ${dateTimeText(of.until)}`}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {of.by === null
          ? 'The own maintenance window of the service is open.'
          : `Started by ${of.by}${of.note === null ? '' : `: “${of.note}”`}.`}{' '}
        {of.mode === 'skip'
          ? `No scheduled runs of ${what} start.`
          : `Runs of ${what} go on and count for nothing, and nobody is notified.`}{' '}
        <Anchor component={Link} href="/maintenance" inherit underline="always">
          See all maintenances
        </Anchor>
      </Text>
      {children}
    </Alert>
  )
}
