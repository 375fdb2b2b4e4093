import { Anchor } from '@mantine/core'
import { Link } from '../../../components/layout/link.tsx'

/** Why a member has a level, such as `By the group On call`. Without a group it is `own`. */
export function Reason({ group, own }: { group: { id: string; name: string } | null; own: string }) {
  if (!group) return own
  return (
    <>
      By the group{' '}
      <Anchor component={Link} href={`/groups/${group.id}`} inherit underline="always">
        {group.name}
      </Anchor>
    </>
  )
}
