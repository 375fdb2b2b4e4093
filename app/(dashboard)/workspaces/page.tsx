import type { Metadata } from 'next'
import { loadWhoToAsk } from '../../load-who-to-ask.ts'
import { Prefetch } from '../../prefetch.tsx'
import { WorkspaceList } from './workspace-list.tsx'

export const metadata: Metadata = { title: 'Workspaces' }

export default function WorkspacesPage() {
  return (
    <Prefetch load={(load) => Promise.all([load('status.workspaces', { page: 1 }), loadWhoToAsk(load)])}>
      <WorkspaceList />
    </Prefetch>
  )
}
