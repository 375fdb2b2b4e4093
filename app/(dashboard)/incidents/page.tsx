import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Incidents } from './incidents.tsx'

export const metadata: Metadata = { title: 'Incidents' }

export default function IncidentsPage() {
  return (
    <Prefetch load={(load) => Promise.all([load('incidents.list', { page: 1 }), load('agents.lost', {})])}>
      <Incidents />
    </Prefetch>
  )
}
