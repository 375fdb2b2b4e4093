import { Group, Stack, Text } from '@mantine/core'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { SelectField } from '../../components/inputs/select-field.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { useWritablePlaces } from '../../components/pickers/finders.ts'
import { type PickedPlace, placeOf } from '../../components/pickers/place.ts'
import { SearchSelect } from '../../components/pickers/search-select.tsx'
import { ROLES, type Role } from './roles.ts'

export type InvitedPlace = PickedPlace<ResourceType> & { detail: string; role: Role }

const OPTIONS = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }))

/** The places that a new member reaches, each with a role. */
export function InvitedPlaces(props: { value: InvitedPlace[]; onChange: (value: InvitedPlace[]) => void }) {
  const { value, onChange } = props
  return (
    <Stack gap="xs">
      <SearchSelect
        label="Places"
        description="What the new member sees: workspaces, projects or single services. A viewer reads, an editor also changes."
        placeholder="Add a workspace, project or service"
        useFound={useWritablePlaces}
        value={null}
        onChange={(found) => {
          if (!found) return
          const place = placeOf<ResourceType>(found)
          if (value.some(({ resourceId }) => resourceId === place.resourceId)) return
          onChange([...value, { ...place, detail: found.detail ?? '', role: 'viewer' }])
        }}
      />
      {value.map((place) => (
        <Group key={place.resourceId} gap="xs" role="group" aria-label={place.name}>
          <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 140px' }}>
            {place.name}
            <Text span display="block" size="xs" c="dimmed">
              {place.detail}
            </Text>
          </Text>
          <Group gap="xs" wrap="nowrap">
            <SelectField
              aria-label={`Role in ${place.name}`}
              options={OPTIONS}
              value={place.role}
              onChange={(event) => {
                const role = event.currentTarget.value as Role
                onChange(value.map((one) => (one === place ? { ...place, role } : one)))
              }}
            />
            <RowButton
              color="red"
              label={`Remove ${place.name}`}
              onClick={() => onChange(value.filter((one) => one !== place))}
            >
              Remove
            </RowButton>
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
