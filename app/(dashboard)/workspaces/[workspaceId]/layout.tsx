import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { containerTitle } from '../../../client/titles/titles.ts'
import { type Load, load, Prefetch } from '../../../prefetch.tsx'
import { loadFrame } from '../../../prefetch-frame.ts'
import { WorkspaceShell } from './workspace-shell.tsx'

type Props = { params: Promise<{ workspaceId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [workspace, counts] = await loadTitle(load, (await params).workspaceId)
  return { title: workspace ? containerTitle(workspace.name, counts) : 'Workspace' }
}

export default async function WorkspaceLayout({ params, children }: Props & { children: ReactNode }) {
  const { workspaceId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          loadTitle(load, id),
          loadFrame(load, 'workspace', id),
          load('maintenances.list', { workspaceId: id, state: 'active', withoutParts: 'true', pageSize: 100 }),
        ])
      }
    >
      <WorkspaceShell id={id}>{children}</WorkspaceShell>
    </Prefetch>
  )
}

function loadTitle(load: Load, id: string) {
  return Promise.all([load('workspaces.get', { id }), load('status.summary', { workspaceId: id })])
}
