import type { Load } from './prefetch.tsx'

type Frame = { type: 'service'; id: string } | { type: 'project'; id: string } | { type: 'workspace'; id: string }

/** Loads what the frame of a workspace, project or service shows: names for the breadcrumbs, the bell and permissions. */
export async function loadFrame(load: Load, { type, id }: Frame): Promise<void> {
  const [me] = await Promise.all([
    load('auth.me'),
    load('follows.get', { resourceType: type, resourceId: id }),
    load('agents.lost', { [`${type}Id`]: id }),
    loadNames(load, { type, id }),
  ])
  // Members who may change all workspaces need no further answer (see `useResourceAccess`).
  if (me && !me.isOwner && me.sections.workspaces !== 'write') await load(`variables.${type}.hierarchy`, { id })
}

/** Loads a resource and what contains it. */
async function loadNames(load: Load, { type, id }: Frame): Promise<void> {
  const projectId = type === 'service' ? (await load('services.get', { id }))?.projectId : id
  const workspaceId =
    type === 'workspace' ? id : projectId && (await load('projects.get', { id: projectId }))?.workspaceId
  if (workspaceId) await load('workspaces.get', { id: workspaceId })
}
