import type { Metadata } from 'next'
import { WorkspaceList } from './workspace-list.tsx'

export const metadata: Metadata = { title: 'Workspaces' }

export default function WorkspacesPage() {
  return <WorkspaceList />
}
