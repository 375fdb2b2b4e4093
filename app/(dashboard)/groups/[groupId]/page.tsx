import type { Metadata } from 'next'
import { GroupView } from './group-view.tsx'

export const metadata: Metadata = { title: 'Group' }

export default async function GroupPage({ params }: { params: Promise<{ groupId: string }> }) {
  return <GroupView id={(await params).groupId} />
}
