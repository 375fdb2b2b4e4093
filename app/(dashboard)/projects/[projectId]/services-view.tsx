'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { memo } from 'react'
import { query } from '../../../client/api.ts'
import { useResourceAccess } from '../../../client/use-resource-access.ts'
import { LostAgentsNotice } from '../../../components/agents/lost-agents-notice.tsx'
import { WhenInView } from '../../../components/layout/when-in-view.tsx'
import { PROJECT_COLUMNS } from '../../../components/service-list/columns.ts'
import { ServiceList } from '../../../components/service-list/service-list.tsx'
import { useListAddress } from '../../../components/service-list/use-list-address.ts'
import { boardOf } from './board-of.ts'

// Most projects have services.
const NoServices = dynamic(async () => (await import('./no-services.tsx')).NoServices)

// Below the list, which comes first. What a member types above must not draw it again.
const ProjectNumbers = memo(dynamic(async () => (await import('./project-numbers.tsx')).ProjectNumbers))

export function ServicesView({ projectId }: { projectId: string }) {
  const [address, change] = useListAddress()
  const board = useQuery({ ...query('status.board', boardOf(projectId, address)), placeholderData: keepPreviousData })
  const { mayWrite } = useResourceAccess('project', projectId)
  return (
    <>
      <LostAgentsNotice of={{ projectId }} />
      <ServiceList
        label="Services"
        board={board}
        address={address}
        change={change}
        defaults={PROJECT_COLUMNS}
        grouping="none"
        withPlace={false}
        empty={() => <NoServices projectId={projectId} address={address} mayWrite={mayWrite} />}
      />
      <WhenInView>
        <ProjectNumbers projectId={projectId} />
      </WhenInView>
    </>
  )
}
