'use client'

import { Button, Text } from '@mantine/core'
import { useMe } from '../../client/me.tsx'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import { Check, Clock } from '../icons.ts'
import { ActionMenu } from '../menus/action-menu.tsx'
import type { MenuEntry } from '../menus/menu-entry.ts'

/** Names the time zone of all times on the page, and switches it. */
export function ZoneSwitch() {
  const { organization } = useMe()
  const { zone, choice, choose } = useZone()
  const entries: MenuEntry[] = [
    { heading: 'Show times in' },
    ...optionsOf(organization.timezone).map((option) => ({
      label: (
        <>
          {zoneName(option.zone)}
          <Text size="xs" c="dimmed">
            {option.hint}
          </Text>
        </>
      ),
      end: option.choice === choice ? <Check size={15} aria-label="current" /> : null,
      onSelect: () => choose(option.choice),
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
        </Button>
      )}
    </ActionMenu>
  )
}

/** The organization's zone, UTC and the browser's zone. */
function optionsOf(organizationZone: string) {
  const browserZone = typeof window === 'undefined' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  return [
    { choice: 'organization', zone: organizationZone, hint: 'Time zone of the organization' },
    { choice: 'UTC', zone: 'UTC', hint: 'Coordinated universal time' },
    ...(browserZone === 'UTC' ? [] : [{ choice: browserZone, zone: browserZone, hint: 'Time zone of your browser' }]),
  ]
}
