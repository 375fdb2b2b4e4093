import { NEW_PLACE, type NewServiceFields } from '#server/schemas/new-service/fields.ts'
import type { Place, ServicePlaces } from '#server/schemas/new-service/places.ts'

export type PlaceValues = Pick<NewServiceFields, 'workspaceId' | 'projectId' | 'workspaceName' | 'projectName'>

/** Returns the place that the form starts with: the preferred project, or the first place there is. */
export function initialPlace(places: ServicePlaces, preferredId: string | null, organizationName: string): PlaceValues {
  const names = { workspaceName: organizationName, projectName: 'Services' }
  const project = places.projects.find(({ id }) => id === preferredId) ?? places.projects[0]
  if (project) return { ...names, workspaceId: project.workspaceId, projectId: project.id }
  return { ...names, workspaceId: places.workspaces[0]?.id ?? NEW_PLACE, projectId: NEW_PLACE }
}

/** Returns the project, or the workspace of a new project; null in a new workspace. */
export function existingPlace({
  workspaceId,
  projectId,
}: PlaceValues): { projectId: string } | { workspaceId: string } | null {
  if (projectId !== NEW_PLACE) return { projectId }
  return workspaceId === NEW_PLACE ? null : { workspaceId }
}

export function toPlace({ workspaceId, projectId, workspaceName, projectName }: PlaceValues): Place {
  if (projectId !== NEW_PLACE) return { projectId }
  return workspaceId === NEW_PLACE ? { workspaceName, projectName } : { workspaceId, projectName }
}

export type Option = { value: string; label: string }

/** Returns the workspaces in which the member may create a service, with the choice of a new one if they may. */
export function workspaceOptions(places: ServicePlaces): Option[] {
  const named = new Map(places.projects.map((project) => [project.workspaceId, project.workspaceName]))
  for (const workspace of places.workspaces) named.set(workspace.id, workspace.name)
  const known = [...named].map(([value, label]) => ({ value, label }))
  known.sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return places.mayCreateWorkspaces ? [...known, { value: NEW_PLACE, label: 'New workspace…' }] : known
}

export function projectOptions(places: ServicePlaces, workspaceId: string): Option[] {
  const known = places.projects
    .filter((project) => project.workspaceId === workspaceId)
    .map(({ id, name }) => ({ value: id, label: name }))
  const mayCreate = workspaceId === NEW_PLACE || places.workspaces.some(({ id }) => id === workspaceId)
  return mayCreate ? [...known, { value: NEW_PLACE, label: 'New project…' }] : known
}
