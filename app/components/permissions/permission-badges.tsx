import { Badge, Group, Text } from '@mantine/core'
import { SECTIONS } from '#server/schemas/account/sections.ts'
import { type Permissions, SECTION_TEXTS } from './permissions.ts'

/** A badge for each section with a permission. Write is orange, read is gray. */
export function PermissionBadges({ permissions }: { permissions: Permissions }) {
  const sections = SECTIONS.filter((section) => permissions[section] !== 'none')
  if (sections.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No permissions
      </Text>
    )
  }
  return (
    <Group gap={4}>
      {sections.map((section) => {
        const isWrite = permissions[section] === 'write'
        return (
          <Badge key={section} size="sm" variant="light" color={isWrite ? 'orange' : 'gray'}>
            {SECTION_TEXTS[section].label} {isWrite ? 'write' : 'read'}
          </Badge>
        )
      })}
    </Group>
  )
}
