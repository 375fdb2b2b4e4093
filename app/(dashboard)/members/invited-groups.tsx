import { Group, List, Stack, Text } from '@mantine/core'
import { RowButton } from '../../components/lists/row-button.tsx'
import { useFoundGroups } from '../../components/pickers/finders.ts'
import { type Found, SearchSelect } from '../../components/pickers/search-select.tsx'

/** The groups that a new member joins. */
export function InvitedGroups({ value, onChange }: { value: Found[]; onChange: (value: Found[]) => void }) {
  return (
    <Stack gap="xs">
      <SearchSelect
        label="Groups"
        description="The new member gets the permissions and the places of these groups."
        placeholder="Add a group"
        useFound={useFoundGroups}
        value={null}
        onChange={(found) => found && !value.some((one) => one.value === found.value) && onChange([...value, found])}
      />
      {value.length > 0 && (
        <List size="sm" listStyleType="none" aria-label="Chosen groups">
          {value.map((group) => (
            <List.Item key={group.value}>
              <Group gap="xs" wrap="nowrap">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {group.label}
                </Text>
                <RowButton
                  color="red"
                  label={`Remove ${group.label}`}
                  onClick={() => onChange(value.filter((one) => one !== group))}
                >
                  Remove
                </RowButton>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
