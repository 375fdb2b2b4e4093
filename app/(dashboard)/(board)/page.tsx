import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { totalOf } from '#server/schemas/status/states.ts'
import { isFiltered, parseAddress, queryOf, type SearchParams } from '../../components/service-list/list-address.ts'
import { findCurrentMember } from '../../current-member.ts'
import { loadWhoToAsk } from '../../load-who-to-ask.ts'
import { load, Prefetch } from '../../prefetch.tsx'
import { BoardView } from './board-view.tsx'
import { LazyWall } from './wall/lazy-wall.tsx'

export const metadata: Metadata = { title: 'Status' }

export default async function BoardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams
  const address = parseAddress(params)
  if (params.tv === '1') {
    const query = { ...queryOf(address), page: 1 }
    return (
      <Prefetch
        load={(load) => Promise.all([load('status.board', query), load('agents.lost', {}), load('agents.lone')])}
      >
        <LazyWall query={query} leaveHref="/" />
      </Prefetch>
    )
  }
  if (!isFiltered(address) && !address.page && (await isEmptyInstallation())) redirect('/services/new')
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('status.board', queryOf(address)),
          load('status.filters'),
          load('status.views.list'),
          load('status.activity'),
          load('agents.lost', {}),
          load('agents.lone'),
          load('organization.alertQuestion.get'),
          loadWhoToAsk(load),
        ])
      }
    >
      <BoardView />
    </Prefetch>
  )
}

/** Whether there is nothing to show yet, and the member can create the first service. */
async function isEmptyInstallation(): Promise<boolean> {
  const [me, board] = await Promise.all([findCurrentMember(), load('status.board', {})])
  return board !== null && totalOf(board.counts) === 0 && (me?.isOwner || me?.sections.workspaces === 'write') === true
}
