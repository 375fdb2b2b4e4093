import type { AnyProcedure } from '@trpc/server'
import { forEachOpenApiProcedure } from 'trpc-to-openapi'
import { z } from 'zod'
import type { FieldLocation } from '../input-errors.ts'
import type { AppRouter } from '../router.ts'
import type { Meta } from '../trpc.ts'

/** Every path of the version stands beneath this. */
export const BASE_PATH = '/api/public/v1'

/** One operation of the public API, as the facade calls it. */
export type Route = {
  method: string
  /** The template beneath `BASE_PATH`, such as `/services/{id}`. */
  path: string
  operationId: string
  /** The procedure's name, such as `services.get`. */
  name: string
  procedure: AnyProcedure
  inputs: z.ZodObject[]
  /** Where each input field is read from; what is not in here is ignored. */
  fields: ReadonlyMap<string, FieldLocation>
  isPaged: boolean
  /** Answers a list, in pages or whole. */
  isList: boolean
  readsBody: boolean
  api: NonNullable<Meta['api']>
}

/** The operations of one path, by method. */
type PathEntry = { segments: string[]; methods: Map<string, Route>; allow: string }

export type Match =
  | { route: Route; params: Record<string, string> }
  /** The path exists, not with this method; `allow` is the header's value. */
  | { allow: string }

export type RouteTable = { routes: Route[]; match: (method: string, path: string) => Match | null }

/** The routes of the router's operations. Of two paths that fit, the one whose fixed words come first wins. */
export function createRouteTable(router: AppRouter): RouteTable {
  const routes: Route[] = []
  forEachOpenApiProcedure<Meta>(router._def.procedures as never, ({ path: name, procedure, meta }) => {
    routes.push(toRoute(name, procedure as unknown as AnyProcedure, meta))
  })

  const places = new Map<string, PathEntry>()
  for (const route of routes) {
    const shape = route.path.replace(/\{[^}]+\}/g, '{}')
    const place = places.get(shape) ?? { segments: route.path.split('/').slice(1), methods: new Map(), allow: '' }
    if (place.methods.has(route.method)) throw new Error(`${route.method} ${route.path} is routed twice`)
    place.methods.set(route.method, route)
    place.allow = [...place.methods.keys(), ...(place.methods.has('GET') ? ['HEAD'] : [])].sort().join(', ')
    places.set(shape, place)
  }

  const byLength = Map.groupBy([...places.values()].sort(compareFixedFirst), (place) => place.segments.length)
  return {
    routes,
    match(method, path) {
      const segments = path.split('/').slice(1)
      const place = byLength.get(segments.length)?.find((candidate) => fits(candidate.segments, segments))
      if (!place) return null
      const route = place.methods.get(method === 'HEAD' ? 'GET' : method)
      if (!route) return { allow: place.allow }
      return { route, params: paramsOf(route.path, segments) }
    },
  }
}

function toRoute(
  name: string,
  procedure: AnyProcedure,
  meta: Meta & { openapi: { method: string; path: string; operationId?: string } },
): Route {
  const { method, path, operationId = name } = meta.openapi
  const api = meta.api ?? {}
  const inputs = (procedure._def as unknown as { inputs: unknown[] }).inputs.map((input) => {
    if (!(input instanceof z.ZodObject)) throw new Error(`${name}: the input of a public operation is an object`)
    return input
  })
  const names = inputs.flatMap((input) => Object.keys(input.shape))
  const inPath = new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, param]) => param as string))
  for (const param of inPath) {
    if (!names.includes(param)) throw new Error(`${name}: the path's "${param}" is not in the input`)
  }
  const readsBody = (method === 'POST' || method === 'PUT' || method === 'PATCH') && !api.noBody
  const fields = new Map(
    names.map((field): [string, FieldLocation] => {
      if (inPath.has(field)) return [field, 'path']
      return [field, readsBody && !api.query?.includes(field) ? 'body' : 'query']
    }),
  )
  const isPaged = method === 'GET' && fields.has('page') && fields.has('pageSize')
  const isList = isPaged || (method === 'GET' && outputOf(procedure) instanceof z.ZodArray)
  return { method, path, operationId, name, procedure, inputs, fields, isPaged, isList, readsBody, api }
}

function outputOf(procedure: AnyProcedure): unknown {
  return (procedure._def as unknown as { output?: unknown }).output
}

function compareFixedFirst(a: PathEntry, b: PathEntry): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[index] ?? ''))
    if (difference !== 0) return difference
  }
  return 0
}

function fits(template: string[], segments: string[]): boolean {
  return template.every((part, index) => isParameter(part) || part === segments[index])
}

function paramsOf(path: string, segments: string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of path.split('/').slice(1).entries()) {
    if (isParameter(part)) params[part.slice(1, -1)] = segments[index] as string
  }
  return params
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}
