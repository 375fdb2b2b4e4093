'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type Input, query } from '../../client/api.ts'

// Most of the time, no agent is lost.
const LostAgents = dynamic(async () => (await import('./lost-agents.tsx')).LostAgents)

/** Names the agents that are lost, if any are. `of` is the page's resource; without it, all. */
export function LostAgentsNotice({ of = {} }: { of?: Input<'agents.lost'> }) {
  // A failed request shows nothing: the page's own requests then fail too, and say why.
  const { data: lost = [] } = useQuery(query('agents.lost', of))
  return lost.length > 0 && <LostAgents lost={lost} />
}
