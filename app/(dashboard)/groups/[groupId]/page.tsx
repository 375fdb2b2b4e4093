import type { Metadata } from 'next'
import { load, Prefetch } from '../../../prefetch.tsx'
import { GroupView } from './group-view.tsx'

type Props = { params: Promise<{ groupId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { groupId } = await params
  const group = await load('organization.groups.get', { groupId })
  return { title: group?.name ?? 'Group' }
}

export default async function GroupPage({ params }: Props) {
  const { groupId } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.groups.get', { groupId }),
          load('organization.groups.members', { groupId, page: 1 }),
          load('organization.groups.grants', { groupId, page: 1 }),
        ])
      }
    >
      <GroupView id={groupId} />
    </Prefetch>
  )
}
