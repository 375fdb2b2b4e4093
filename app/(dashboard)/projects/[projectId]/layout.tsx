import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Prefetch } from '../../../prefetch.tsx'
import { ProjectShell } from './project-shell.tsx'

export const metadata: Metadata = { title: 'Project' }

export default async function ProjectLayout(props: { children: ReactNode; params: Promise<{ projectId: string }> }) {
  const { projectId: id } = await props.params
  return (
    <Prefetch
      load={async (load) => {
        const [project] = await Promise.all([load('projects.get', { id }), load('status.summary', { projectId: id })])
        if (project) await load('workspaces.get', { id: project.workspaceId })
      }}
    >
      <ProjectShell id={id}>{props.children}</ProjectShell>
    </Prefetch>
  )
}
