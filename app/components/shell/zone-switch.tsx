'use client'

import { Button, Text } from '@mantine/core'
import { useNow } from '../../client/now.tsx'
import { useZone } from '../../client/zone.tsx'
import { canonicalZone, ZONE_CHOICES, type ZoneChoice, zoneName } from '../../client/zone-choice.ts'
import { Check, Clock } from '../icons.ts'
import { ActionMenu } from '../menus/action-menu.tsx'
import type { MenuEntry } from '../menus/menu-entry.ts'
import { shortZoneName } from '../zoned-text.ts'

const HINTS: Record<ZoneChoice, string> = {
  browser: 'Time zone of your browser',
  organization: 'Time zone of the organization',
  UTC: 'Coordinated universal time',
}

/** Names the time zone of all times on the page, and switches it. */
export function ZoneSwitch() {
  const { zone, choice, zones, choose } = useZone()
  const now = useNow()
  const entries: MenuEntry[] = [
    { heading: 'Show times in' },
    ...optionsOf(zones).map((choices) => ({
      label: (
        <>
          {zoneName(zones[choices[0]])}
          {choices.map((each) => (
            <Text key={each} size="xs" c="dimmed">
              {HINTS[each]}
            </Text>
          ))}
        </>
      ),
      end: choices.includes(choice) ? <Check size={15} aria-label="current" /> : null,
      onSelect: () => choose(choices[0]),
    })),
  ]
  return (
    <ActionMenu entries={entries}>
      {(target) => (
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          aria-label={`Times are in ${zoneName(zone)}. Change the time zone`}
          {...target}
        >
          <Clock size={15} aria-hidden />
          <Text size="sm" ml={6} visibleFrom="sm" component="span">
            {zoneName(zone)}
          </Text>
          <Text size="xs" ml={4} hiddenFrom="sm" component="span">
            {shortZoneName(now, zone)}
          </Text>
        </Button>
      )}
    </ActionMenu>
  )
}

/** Returns the choices, those of the same zone together. */
function optionsOf(zones: Record<ZoneChoice, string>): [ZoneChoice, ...ZoneChoice[]][] {
  const options = new Map<string, [ZoneChoice, ...ZoneChoice[]]>()
  for (const choice of ZONE_CHOICES) {
    const zone = canonicalZone(zones[choice])
    const same = options.get(zone)
    if (same) same.push(choice)
    else options.set(zone, [choice])
  }
  return [...options.values()]
}
