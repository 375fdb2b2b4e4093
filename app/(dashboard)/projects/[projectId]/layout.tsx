import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { containerTitle } from '../../../client/titles/titles.ts'
import { type Load, load, Prefetch } from '../../../prefetch.tsx'
import { loadFrame } from '../../../prefetch-frame.ts'
import { ProjectShell } from './project-shell.tsx'

type Props = { params: Promise<{ projectId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [project, counts] = await loadTitle(load, (await params).projectId)
  return { title: project ? containerTitle(project.name, counts) : 'Project' }
}

export default async function ProjectLayout({ params, children }: Props & { children: ReactNode }) {
  const { projectId: id } = await params
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          loadTitle(load, id),
          loadFrame(load, 'project', id),
          load('maintenances.list', { projectId: id, state: 'active', withoutParts: 'true', pageSize: 100 }),
        ])
      }
    >
      <ProjectShell id={id}>{children}</ProjectShell>
    </Prefetch>
  )
}

function loadTitle(load: Load, id: string) {
  return Promise.all([load('projects.get', { id }), load('status.summary', { projectId: id })])
}
