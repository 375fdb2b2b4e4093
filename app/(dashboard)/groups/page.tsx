import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Groups } from './groups.tsx'

export const metadata: Metadata = { title: 'Groups' }

export default function GroupsPage() {
  return (
    <Prefetch load={(load) => load('organization.groups.list', { page: 1 })}>
      <Groups />
    </Prefetch>
  )
}
