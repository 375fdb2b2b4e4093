import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { WorkspaceShell } from './workspace-shell.tsx'

export const metadata: Metadata = { title: 'Workspace' }

export default async function WorkspaceLayout(props: {
  children: ReactNode
  params: Promise<{ workspaceId: string }>
}) {
  return <WorkspaceShell id={(await props.params).workspaceId}>{props.children}</WorkspaceShell>
}
