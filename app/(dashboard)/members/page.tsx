import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Members } from './members.tsx'

export const metadata: Metadata = { title: 'Members' }

export default function MembersPage() {
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.members.list', { page: 1 }),
          load('organization.invitations.list', { page: 1 }),
        ])
      }
    >
      <Members />
    </Prefetch>
  )
}
