'use client'

import { Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { Board } from '#server/schemas/status/board.ts'
import { needsAttention, totalOf } from '#server/schemas/status/states.ts'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { AlertQuestion } from '../../components/alerts/alert-question.tsx'
import { Activity, LayoutList, Plus, Rows3, Tv } from '../../components/icons.ts'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { NoAccess } from '../../components/lists/no-access.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { LoneAgentsNotice } from '../../components/lone-agents-notice.tsx'
import { LostAgentsNotice } from '../../components/lost-agents-notice.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { AttentionList } from './attention-list.tsx'
import classes from './board.module.css'
import { addressWith, type BoardAddress, isFiltered, queryOf } from './board-address.ts'
import { FilterBar } from './filter-bar.tsx'
import { ServiceGroups } from './service-groups.tsx'
import { StateFilters } from './state-filters.tsx'

/** The start page: what is broken, since when and why, then everything else. */
export function BoardView({ address }: { address: BoardAddress }) {
  const board = useQuery({ ...query('status.board', queryOf(address)), placeholderData: keepPreviousData })
  const counts = board.data?.counts
  return (
    <PageFrame title="Status" actions={<Views address={address} />}>
      <AlertQuestion />
      {counts && <StateFilters address={address} counts={counts} />}
      <FilterBar key={address.q ?? ''} address={address} problems={board.data?.problems ?? []} />
      <Loaded query={board}>{(data) => <Services address={address} board={data} />}</Loaded>
    </PageFrame>
  )
}

function Views({ address }: { address: BoardAddress }) {
  const { isFlat } = address
  return (
    <Group gap="xs" visibleFrom="sm">
      <Button
        component={Link}
        href={addressWith(address, { isFlat: isFlat ? undefined : true })}
        variant="default"
        size="xs"
        leftSection={isFlat ? <LayoutList size={15} aria-hidden /> : <Rows3 size={15} aria-hidden />}
      >
        {isFlat ? 'Group by project' : 'Flat list'}
      </Button>
      <Button
        component={Link}
        href={wallHref(address)}
        variant="default"
        size="xs"
        leftSection={<Tv size={15} aria-hidden />}
      >
        Wall
      </Button>
    </Group>
  )
}

function Services({ address, board }: { address: BoardAddress; board: Board }) {
  const router = useRouter()
  const { mayCreateServices } = useMe()
  if (board.total === 0 && !isFiltered(address) && totalOf(board.counts) === 0)
    return mayCreateServices ? <NoServices /> : <NoAccess title="You see no services yet" />
  const wrong = board.services.filter(({ state }) => needsAttention(state))
  const others = board.services.filter(({ state }) => !needsAttention(state))
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {/* One cause comes before the many services that it makes look failed. */}
        <LoneAgentsNotice />
        {/* A failing service comes before a lost agent, and a lost agent before the services that are unknown for it. */}
        {wrong[0]?.state === 'unknown' && <LostAgentsNotice />}
        {wrong.length > 0 && <AttentionList services={wrong} />}
        {wrong[0]?.state !== 'unknown' && <LostAgentsNotice />}
        {board.total === 0 && <NoMatch />}
        <ServiceGroups services={others} projects={board.projects} isFlat={address.isFlat === true} />
        <Pager page={board} onPage={(page) => router.push(addressWith(address, { page }))} />
      </div>
      <ActivityPanel />
    </div>
  )
}

function NoMatch() {
  return (
    <Text c="dimmed" py="md">
      No service matches.{' '}
      <Link href="/" className={classes.link}>
        Show all services
      </Link>
    </Text>
  )
}

function NoServices() {
  return (
    <Empty
      icon={Activity}
      title="No services yet"
      description="A service checks a URL or runs a script on a schedule, and alerts you when it fails."
      action={
        <Group gap="sm" justify="center">
          <Button component={Link} href="/services/new" leftSection={<Plus size={16} aria-hidden />}>
            New service
          </Button>
          <Button component={Link} href="/workspaces" variant="default">
            Workspaces
          </Button>
        </Group>
      }
    />
  )
}

function wallHref(address: BoardAddress): string {
  const href = addressWith(address, {})
  return href === '/' ? '/?tv=1' : `${href}&tv=1`
}
