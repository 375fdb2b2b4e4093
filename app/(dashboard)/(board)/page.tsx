import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { parseAddress, queryOf, type SearchParams } from './board-address.ts'
import { BoardView } from './board-view.tsx'
import { Wall } from './wall/wall.tsx'

export const metadata: Metadata = { title: 'Status' }

export default async function BoardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const params = await searchParams
  const address = parseAddress(params)
  if (params.tv === '1') {
    const query = { ...queryOf(address), page: 1 }
    return (
      <Prefetch load={(load) => load('status.board', query)}>
        <Wall query={query} leaveHref="/" />
      </Prefetch>
    )
  }
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('status.board', queryOf(address)),
          load('status.filters'),
          load('status.activity'),
          load('agents.lost', {}),
        ])
      }
    >
      <BoardView address={address} />
    </Prefetch>
  )
}
