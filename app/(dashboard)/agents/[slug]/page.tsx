import type { Metadata } from 'next'
import { type Load, load, Prefetch } from '../../../prefetch.tsx'
import { AgentView } from './agent-view.tsx'

type Props = { params: Promise<{ slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const agent = await load('organization.agents.get', { slug: (await params).slug })
  return { title: agent?.label ?? 'Agent' }
}

export default async function AgentPage({ params }: Props) {
  const { slug } = await params
  return (
    <Prefetch load={(load) => loadAll(load, slug)}>
      <AgentView slug={slug} />
    </Prefetch>
  )
}

async function loadAll(load: Load, slug: string): Promise<void> {
  const agent = await load('organization.agents.get', { slug })
  if (!agent) return
  await Promise.all([
    load('agents.lone'),
    load('organization.agents.history', { slug }),
    load('organization.agents.services', { slug }),
    load('organization.agents.events', { slug, page: 1, pageSize: 10 }),
    !agent.isShared && agent.kind === 'remote' && load('organization.agents.keys', { slug }),
  ])
}
