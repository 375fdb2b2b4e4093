import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ProjectShell } from './project-shell.tsx'

export const metadata: Metadata = { title: 'Project' }

export default async function ProjectLayout(props: { children: ReactNode; params: Promise<{ projectId: string }> }) {
  return <ProjectShell id={(await props.params).projectId}>{props.children}</ProjectShell>
}
