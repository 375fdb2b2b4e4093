import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Agents } from './agents.tsx'

export const metadata: Metadata = { title: 'Agents' }

export default function AgentsPage() {
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('organization.agents.list'),
          load('organization.agents.events', { page: 1, pageSize: 10 }),
          load('agents.lost', {}),
          load('agents.lone'),
        ])
      }
    >
      <Agents />
    </Prefetch>
  )
}
