import type { Metadata } from 'next'
import { load, Prefetch } from '../../../prefetch.tsx'
import { MemberView } from './member-view.tsx'

type Props = { params: Promise<{ userId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { userId } = await params
  const member = await load('organization.members.get', { userId })
  return { title: member?.displayName ?? 'Member' }
}

export default async function MemberPage({ params }: Props) {
  const { userId } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.members.get', { userId }),
          load('organization.members.access', { userId, page: 1 }),
        ])
      }
    >
      <MemberView userId={userId} />
    </Prefetch>
  )
}
