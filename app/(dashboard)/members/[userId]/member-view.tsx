'use client'

import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { Fragment } from 'react'
import { query } from '../../../client/api.ts'
import { Instant } from '../../../components/instant.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { MemberActions } from '../member-actions.tsx'
import { MemberBadges } from '../member-badges.tsx'
import { MemberPlaces } from './member-places.tsx'
import { MemberSections } from './member-sections.tsx'

/** A member: what they may do in the organization, which places they reach, and why. */
export function MemberView({ userId }: { userId: string }) {
  const router = useRouter()
  const member = useQuery(query('organization.members.get', { userId }))
  return (
    <Loaded query={member}>
      {(member) => (
        <PageFrame
          title={member.displayName}
          crumbs={[{ label: 'Members', href: '/members' }]}
          badges={<MemberBadges member={member} />}
          actions={<MemberActions member={member} onRemoved={() => router.push('/members')} />}
        >
          <Facts>
            <Fact title="Email">{member.email}</Fact>
            <Fact title="Groups">
              {member.groups.length === 0
                ? 'None'
                : member.groups.map(({ id, name }, index) => (
                    <Fragment key={id}>
                      {index > 0 && ', '}
                      <Anchor component={Link} href={`/groups/${id}`} inherit underline="always">
                        {name}
                      </Anchor>
                    </Fragment>
                  ))}
            </Fact>
            <Fact title="Two-factor">{member.hasTotp ? 'On' : 'Off'}</Fact>
            <Fact title="Joined">
              <Instant at={member.joinedAt} />
            </Fact>
          </Facts>
          <MemberPlaces member={member} />
          <MemberSections member={member} />
        </PageFrame>
      )}
    </Loaded>
  )
}
