'use client'

import { Group, List, Stack, Text } from '@mantine/core'
import { BoundTo } from '../../components/bindings/bound-to.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { useBindablePlaces } from '../../components/pickers/finders.ts'
import { type PickedPlace, placeOf } from '../../components/pickers/place.ts'
import { SearchSelect } from '../../components/pickers/search-select.tsx'
import { AlertsNobody } from './alerts-nobody.tsx'

/** What a new webhook is bound to. */
export function ChosenBindings({
  value,
  onChange,
}: {
  value: PickedPlace[]
  onChange: (value: PickedPlace[]) => void
}) {
  const add = (scope: PickedPlace) =>
    onChange([...value.filter(({ resourceId }) => resourceId !== scope.resourceId), scope])
  return (
    <Stack gap="xs" component="fieldset" m={0} p={0} bd={0}>
      <Text component="legend" size="sm" fw={600} p={0}>
        Notified of failures in
      </Text>
      {value.length === 0 ? (
        <AlertsNobody />
      ) : (
        <List size="sm" listStyleType="none" aria-label="Bindings">
          {value.map((scope) => (
            <List.Item key={scope.resourceId}>
              <Group gap="xs" wrap="nowrap">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  <BoundTo binding={{ ...scope, resourceName: scope.name }} isFirst />
                </Text>
                <RowButton
                  color="red"
                  label={`Remove ${scope.name}`}
                  onClick={() => onChange(value.filter((other) => other !== scope))}
                >
                  Remove
                </RowButton>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
      <SearchSelect
        label="Bind it to"
        placeholder="Search by name"
        useFound={useBindablePlaces}
        value={null}
        onChange={(found) => found && add(placeOf(found))}
      />
    </Stack>
  )
}
