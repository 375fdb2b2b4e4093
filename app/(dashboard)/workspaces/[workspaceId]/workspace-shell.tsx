'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { query } from '../../../client/api.ts'
import { ContainerShell } from '../../../components/containers/container-shell.tsx'
import { NameDialog } from '../../../components/forms/name-dialog.tsx'

export function WorkspaceShell({ id, children }: { id: string; children: ReactNode }) {
  const router = useRouter()
  const workspace = useQuery(query('workspaces.get', { id }))
  return (
    <ContainerShell
      kind="workspace"
      id={id}
      query={workspace}
      crumbs={[{ label: 'Workspaces', href: '/workspaces' }]}
      create={(close) => (
        <NameDialog
          path="projects.create"
          title="New project"
          submitLabel="Create project"
          toInput={(name) => ({ workspaceId: id, name })}
          onClose={close}
          onDone={(project) => router.push(`/projects/${project.id}`)}
        />
      )}
      onRemoved={() => router.push('/workspaces')}
    >
      {children}
    </ContainerShell>
  )
}
