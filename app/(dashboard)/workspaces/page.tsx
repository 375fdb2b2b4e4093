import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { WorkspaceList } from './workspace-list.tsx'

export const metadata: Metadata = { title: 'Workspaces' }

export default function WorkspacesPage() {
  return (
    <Prefetch load={(load) => load('status.workspaces', { page: 1 })}>
      <WorkspaceList />
    </Prefetch>
  )
}
