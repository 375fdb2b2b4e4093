import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { urlParams } from '../services/[serviceId]/history/url-params.ts'
import { searchIn } from './filters.ts'
import { Incidents } from './incidents.tsx'

export const metadata: Metadata = { title: 'Incidents' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function IncidentsPage({ searchParams }: Props) {
  const input = searchIn(urlParams(await searchParams))
  return (
    <Prefetch load={(load) => Promise.all([load('incidents.search', input), load('agents.lost', {})])}>
      <Incidents />
    </Prefetch>
  )
}
