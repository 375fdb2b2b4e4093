import type { Folder } from '../format/files.ts'
import type { Selection } from './read-present.ts'

/** What a folder describes, which is what it is compared with. */
export function selectionOf({ organization, workspaces, projects }: Folder): Selection {
  const isNamed = (file: { id?: string | undefined; name: string }, one: { id: string; name: string }) =>
    file.name === one.name || file.id === one.id
  const isWorkspaceOf = (name: string, one: { id: string; name: string }) =>
    workspaces.some(({ file }) => file.name === name && isNamed(file, one)) || one.name === name
  return {
    organization: organization !== null,
    workspaces: (one) => workspaces.some(({ file }) => isNamed(file, one)),
    projects: (workspace, one) =>
      projects.some(({ file }) => isWorkspaceOf(file.workspace, workspace) && isNamed(file, one)),
    mayHaveProjects: (one) => projects.some(({ file }) => isWorkspaceOf(file.workspace, one)),
  }
}

/** What `export` writes: one project, one workspace, or everything. */
export function exportedSelection(options: {
  project?: { id: string; workspaceId: string }
  workspaceId?: string
}): Selection {
  const { project, workspaceId } = options
  const isEverything = !project && !workspaceId
  return {
    organization: isEverything,
    workspaces: ({ id }) => isEverything || (!project && id === workspaceId),
    projects: (_, { id }) => id === project?.id,
    mayHaveProjects: ({ id }) => id === project?.workspaceId,
  }
}
