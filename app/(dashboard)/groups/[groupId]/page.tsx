import type { Metadata } from 'next'
import { load, Prefetch } from '../../../prefetch.tsx'
import { GroupView } from './group-view.tsx'

type Props = { params: Promise<{ groupId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { groupId: id } = await params
  const groups = await load('organization.groups.list', { pageSize: 100 })
  return { title: groups?.items.find((item) => item.id === id)?.name ?? 'Group' }
}

export default async function GroupPage({ params }: Props) {
  const { groupId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.groups.list', { pageSize: 100 }),
          load('organization.groups.members', { groupId: id, page: 1 }),
          load('members.list', { pageSize: 100 }),
        ])
      }
    >
      <GroupView id={id} />
    </Prefetch>
  )
}
