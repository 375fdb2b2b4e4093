import type { ResourceType } from '#server/schemas/scopes.ts'
import type { Load } from './prefetch.tsx'

/** Loads what the frame of a workspace, project or service shows: names for the breadcrumbs, the bell and permissions. */
export async function loadFrame(load: Load, type: ResourceType, id: string): Promise<void> {
  await Promise.all([
    load('follows.get', { resourceType: type, resourceId: id }),
    load('agents.lost', { [`${type}Id`]: id }),
    loadNames(load, type, id),
    loadAccess(load, type, id),
  ])
}

/** Loads what `useResourceAccess` asks: nothing for members who may change all workspaces. */
export async function loadAccess(load: Load, type: ResourceType, id: string): Promise<void> {
  const me = await load('auth.me')
  if (me && !me.isOwner && me.sections.workspaces !== 'write') await load(`variables.${type}.hierarchy`, { id })
}

/** Loads a resource and what contains it. */
async function loadNames(load: Load, type: ResourceType, id: string): Promise<void> {
  const projectId = type === 'service' ? (await load('services.get', { id }))?.projectId : id
  const workspaceId =
    type === 'workspace' ? id : projectId && (await load('projects.get', { id: projectId }))?.workspaceId
  if (workspaceId) await load('workspaces.get', { id: workspaceId })
}
