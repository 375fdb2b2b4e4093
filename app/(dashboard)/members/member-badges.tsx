import { Badge } from '@mantine/core'

/** Whether a member owns the organization or is disabled. */
export function MemberBadges({ member }: { member: { isOwner: boolean; isActive: boolean } }) {
  return (
    <>
      {member.isOwner && (
        <Badge size="sm" color="grape" variant="light">
          Owner
        </Badge>
      )}
      {!member.isActive && (
        <Badge size="sm" color="gray">
          Disabled
        </Badge>
      )}
    </>
  )
}
