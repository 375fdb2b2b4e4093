'use client'

import { Fieldset, SegmentedControl, Stack, Text } from '@mantine/core'
import { LEVELS, type LevelName, SECTIONS } from '#server/schemas/account/sections.ts'
import { type Permissions, SECTION_TEXTS } from './permissions.ts'

/** Inputs for the permission in each section. */
export function PermissionInputs(props: { value: Permissions; onChange: (value: Permissions) => void }) {
  return (
    <Fieldset legend="Permissions">
      <Stack gap="sm">
        {SECTIONS.map((section) => (
          <Stack key={section} gap={4}>
            <Text size="sm" fw={600} id={`section-${section}`}>
              {SECTION_TEXTS[section].label}
              <Text span size="xs" c="dimmed" fw={400}>
                {' '}
                {SECTION_TEXTS[section].description}
              </Text>
            </Text>
            <SegmentedControl
              aria-labelledby={`section-${section}`}
              size="xs"
              data={LEVELS.map((level) => ({ value: level, label: level.charAt(0).toUpperCase() + level.slice(1) }))}
              value={props.value[section]}
              onChange={(level) => props.onChange({ ...props.value, [section]: level as LevelName })}
            />
          </Stack>
        ))}
      </Stack>
    </Fieldset>
  )
}
