import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Prefetch } from '../../../prefetch.tsx'
import { WorkspaceShell } from './workspace-shell.tsx'

export const metadata: Metadata = { title: 'Workspace' }

export default async function WorkspaceLayout(props: {
  children: ReactNode
  params: Promise<{ workspaceId: string }>
}) {
  const { workspaceId: id } = await props.params
  return (
    <Prefetch
      load={(load) => Promise.all([load('workspaces.get', { id }), load('status.summary', { workspaceId: id })])}
    >
      <WorkspaceShell id={id}>{props.children}</WorkspaceShell>
    </Prefetch>
  )
}
