import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { placeKind } from './place-kind.ts'
import type { Found } from './search-select.tsx'

// What the pickers of the dashboard search. Each is a hook, as `SearchSelect` takes it.

const SHOWN = 20

export function useFoundMembers(q: string, isOpened: boolean): Found[] | undefined {
  const { data } = useQuery({
    ...query('organization.members.list', { q, pageSize: SHOWN }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return data?.items.map(({ userId, displayName, email }) => ({ value: userId, label: displayName, detail: email }))
}

export function useFoundGroups(q: string, isOpened: boolean): Found[] | undefined {
  const { data } = useQuery({
    ...query('organization.groups.list', { q, pageSize: SHOWN }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return data?.items.map(({ id, name, memberCount }) => ({
    value: id,
    label: name,
    detail: memberCount === 1 ? '1 member' : `${memberCount} members`,
  }))
}

/** Groups and members, as values such as `group 019…`. */
export function useFoundHolders(q: string, isOpened: boolean): Found[] | undefined {
  const groups = useFoundGroups(q, isOpened)
  const members = useFoundMembers(q, isOpened)
  if (!groups || !members) return undefined
  return [
    ...groups.map((found) => ({ ...found, value: `group ${found.value}`, group: 'Groups' })),
    ...members.map((found) => ({ ...found, value: `user ${found.value}`, group: 'Members' })),
  ]
}

export function useFoundWebhooks(q: string, isOpened: boolean): Found[] | undefined {
  const { data } = useQuery({
    ...query('organization.webhooks.overview', { q, pageSize: SHOWN }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return data?.items.map(({ id, name, label }) => ({ value: id, label: name, detail: label }))
}

/** Workspaces, projects and services on which the member may write, as values such as `project 019…`. */
export function useWritablePlaces(q: string, isOpened: boolean): Found[] | undefined {
  return useFoundPlaces(q, isOpened, 'write')
}

export function useReadablePlaces(q: string, isOpened: boolean): Found[] | undefined {
  return useFoundPlaces(q, isOpened, 'read')
}

/** The same with the organization as a whole, for members who may read all of it. */
export function useBindablePlaces(q: string, isOpened: boolean): Found[] | undefined {
  const me = useMe()
  const places = useWritablePlaces(q, isOpened)
  const label = `The whole organization ${me.organization.name}`
  const isOffered = hasPermission(me, 'workspaces', 'read') && label.toLowerCase().includes(q.toLowerCase())
  const whole = { value: `organization ${me.organization.id}`, label }
  return places && (isOffered ? [whole, ...places] : places)
}

function useFoundPlaces(q: string, isOpened: boolean, level: 'read' | 'write'): Found[] | undefined {
  const { data } = useQuery({
    ...query('access.places', { q, level }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return data?.map(({ resourceType, resourceId, name, path }) => ({
    value: `${resourceType} ${resourceId}`,
    label: name,
    detail: placeKind(resourceType, path),
  }))
}
