import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Agents } from './agents.tsx'

export const metadata: Metadata = { title: 'Agents' }

export default function AgentsPage() {
  return (
    <Prefetch load={(load) => Promise.all([load('organization.agents.list'), load('agents.lost', {})])}>
      <Agents />
    </Prefetch>
  )
}
