'use client'

import { Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { memo } from 'react'
import type { Board } from '#server/schemas/status/board.ts'
import { totalOf } from '#server/schemas/status/states.ts'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { LoneAgentsNotice } from '../../components/agents/lone-agents-notice.tsx'
import { LostAgentsNotice } from '../../components/agents/lost-agents-notice.tsx'
import { AlertQuestion } from '../../components/alerts/alert-question.tsx'
import { CreateLink } from '../../components/layout/create-button.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { WhenInView } from '../../components/layout/when-in-view.tsx'
import { BOARD_COLUMNS } from '../../components/service-list/columns.ts'
import {
  boardHref,
  isFiltered,
  type ListAddress,
  queryOf,
  unfiltered,
} from '../../components/service-list/list-address.ts'
import { ServiceList } from '../../components/service-list/service-list.tsx'
import { useListAddress } from '../../components/service-list/use-list-address.ts'
import { LayoutList, Rows3, Tv } from '../icons.ts'
import classes from './board.module.css'
import { BoardFilters } from './board-filters.tsx'
import { SavedViews } from './saved-views/saved-views.tsx'
import { sectionTitle } from './section-title.tsx'
import { StateFilters } from './state-filters.tsx'

// Most boards have services.
const NoServices = dynamic(async () => (await import('./no-services.tsx')).NoServices)

// Below the list, which comes first. What a member types above must not draw it again.
const ActivityPanel = memo(dynamic(async () => (await import('./activity-panel.tsx')).ActivityPanel))

/** The start page: what is broken, since when and why, then everything else. */
export function BoardView() {
  const router = useRouter()
  const [address, change] = useListAddress()
  const { mayCreateServices } = useMe()
  const board = useQuery({ ...query('status.board', queryOf(address)), placeholderData: keepPreviousData })
  const counts = board.data?.counts
  return (
    <PageFrame
      title="Status"
      actions={
        <>
          <Views address={address} />
          {mayCreateServices && <CreateLink href="/services/new">New service</CreateLink>}
        </>
      }
    >
      <div className={classes.question}>
        <AlertQuestion />
      </div>
      {counts && <StateFilters address={address} counts={counts} />}
      <ServiceList
        label="Services"
        board={board}
        address={address}
        change={change}
        defaults={BOARD_COLUMNS}
        grouping={address.isFlat ? 'attention' : 'project'}
        withPlace
        titleOf={(section) => sectionTitle(section, board.data as Board)}
        filters={
          <BoardFilters
            address={address}
            change={change}
            onClear={() => router.push(boardHref(unfiltered(address), {}))}
          />
        }
        notices={({ services }) => <Notices isFailing={services[0]?.state === 'failing'} />}
        empty={({ counts }) =>
          isFiltered(address) || totalOf(counts) > 0 ? (
            <NoMatch address={address} />
          ) : (
            <NoServices mayCreateServices={mayCreateServices} />
          )
        }
      />
      <WhenInView>
        <ActivityPanel />
      </WhenInView>
    </PageFrame>
  )
}

/** On a phone, a failing service comes before what may explain it. */
function Notices({ isFailing }: { isFailing: boolean }) {
  return (
    <div className={classes.notices} data-later={isFailing || undefined}>
      <LoneAgentsNotice />
      <LostAgentsNotice />
    </div>
  )
}

function Views({ address }: { address: ListAddress }) {
  const { isFlat } = address
  return (
    <>
      <SavedViews address={address} />
      <Group gap="xs" visibleFrom="sm">
        <Button
          component={Link}
          href={boardHref(address, { isFlat: isFlat ? undefined : true })}
          variant="default"
          leftSection={isFlat ? <LayoutList size={15} aria-hidden /> : <Rows3 size={15} aria-hidden />}
        >
          {isFlat ? 'Group by project' : 'Flat list'}
        </Button>
        <Button component={Link} href={wallHref(address)} variant="default" leftSection={<Tv size={15} aria-hidden />}>
          Wall
        </Button>
      </Group>
    </>
  )
}

function NoMatch({ address }: { address: ListAddress }) {
  return (
    <Text c="dimmed" py="md">
      No service matches.{' '}
      <Link href={boardHref(unfiltered(address), {})} className={classes.link}>
        Show all services
      </Link>
    </Text>
  )
}

function wallHref(address: ListAddress): string {
  const href = boardHref(address, {})
  return href === '/' ? '/?tv=1' : `${href}&tv=1`
}
