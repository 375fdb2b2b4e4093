'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { query } from '../../../client/api.ts'
import { ContainerShell } from '../../../components/containers/container-shell.tsx'
import { showUndo } from '../../../components/deletions/show-undo.tsx'
import { useWorkspaceCrumbs } from '../../../components/layout/use-crumbs.ts'

export function ProjectShell({ id, children }: { id: string; children: ReactNode }) {
  const router = useRouter()
  const project = useQuery(query('projects.get', { id }))
  const crumbs = useWorkspaceCrumbs(project.data?.workspaceId)
  return (
    <ContainerShell
      kind="project"
      id={id}
      query={project}
      crumbs={crumbs}
      create={`/services/new?project=${id}`}
      onRemoved={(name) => {
        showUndo({ id, name })
        router.push(`/workspaces/${project.data?.workspaceId}`)
      }}
    >
      {children}
    </ContainerShell>
  )
}
