'use client'

import { Button, Group, Text } from '@mantine/core'
import { useZone } from '../../../../client/zone.tsx'
import { zoneName } from '../../../../client/zone-choice.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { useZoom } from './use-zoom.ts'

/** Says which part of the range the charts show, and leads back to all of it. Nothing while they show the whole range. */
export function ZoomNotice() {
  const { zone } = useZone()
  const { zoom, reset } = useZoom()
  const dateTimeText = useDateTimeText()
  return (
    <div role="status">
      {zoom && (
        <Group gap="sm" mb="sm">
          <Text size="sm">
            {dateTimeText(zoom.since)} to {dateTimeText(zoom.until)} ({zoneName(zone)})
          </Text>
          <Button size="compact-sm" variant="default" onClick={reset}>
            Reset zoom
          </Button>
        </Group>
      )}
    </div>
  )
}
