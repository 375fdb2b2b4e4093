import type { AnyProcedure } from '@trpc/server'
import { forEachOpenApiProcedure } from 'trpc-to-openapi'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { FieldLocation } from '../../input-errors.ts'
import type { AppRouter } from '../../router.ts'
import { callProcedure, checksOf, type Meta } from '../../trpc.ts'

/** The prefix of every path of version 1. */
export const BASE_PATH = '/api/public/v1'

/** One operation of the public API, as the facade calls it. */
export type Route = {
  method: string
  /** The template after `BASE_PATH`, such as `/services/{id}`. */
  path: string
  operationId: string
  /** The procedure's name, such as `services.get`. */
  name: string
  /** Calls the operation with the input as it was sent. @throws TRPCError */
  call: (ctx: Context, input: unknown) => Promise<unknown>
  /** Checks the permission that the operation needs, without the operation. @throws TRPCError */
  permit: (ctx: Context, input: unknown) => Promise<unknown>
  procedure: AnyProcedure
  inputs: z.ZodObject[]
  output: z.ZodType
  /** Where each input field is read from. Other fields are ignored. */
  fields: ReadonlyMap<string, FieldLocation>
  isPaged: boolean
  /** Returns a list, in pages or whole. */
  isList: boolean
  readsBody: boolean
  api: NonNullable<Meta['api']>
}

/** The operations of one path, by method, and the value of `Allow`. */
type PathEntry = { segments: string[]; methods: Map<string, Route>; allow: string }

export type Match =
  | { route: Route; params: Record<string, string> }
  /** The path exists, but not with this method. `allow` is the value of the header. */
  | { allow: string }

export type RouteTable = { routes: Route[]; match: (method: string, path: string) => Match | null }

/** Builds the routes of the router's operations. Of two matching paths, the one whose fixed segments come first wins. */
export function createRouteTable(router: AppRouter): RouteTable {
  const routes: Route[] = []
  forEachOpenApiProcedure<Meta>(router._def.procedures as never, ({ path: name, procedure, meta }) => {
    routes.push(toRoute(name, procedure as unknown as AnyProcedure, meta))
  })

  const entries = new Map<string, PathEntry>()
  for (const route of routes) {
    const shape = route.path.replace(/\{[^}]+\}/g, '{}')
    const entry = entries.get(shape) ?? { segments: route.path.split('/').slice(1), methods: new Map(), allow: '' }
    if (entry.methods.has(route.method)) throw new Error(`${route.method} ${route.path} has two operations`)
    entry.methods.set(route.method, route)
    entry.allow = [...entry.methods.keys(), ...(entry.methods.has('GET') ? ['HEAD'] : [])].sort().join(', ')
    entries.set(shape, entry)
  }

  const byLength = Map.groupBy([...entries.values()].sort(compareFixedFirst), (entry) => entry.segments.length)
  return {
    routes,
    match(method, path) {
      const segments = path.split('/').slice(1)
      const entry = byLength.get(segments.length)?.find((candidate) => fits(candidate.segments, segments))
      if (!entry) return null
      const route = entry.methods.get(method === 'HEAD' ? 'GET' : method)
      if (!route) return { allow: entry.allow }
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
  const { output } = procedure._def as unknown as { output: z.ZodType }
  const isList = isPaged || (method === 'GET' && output instanceof z.ZodArray)
  const checks = checksOf(procedure)
  return {
    method,
    path,
    operationId,
    name,
    call: (ctx, input) => callProcedure(procedure, name, ctx, input),
    permit: (ctx, input) => callProcedure(checks, name, ctx, input),
    procedure,
    inputs,
    output,
    fields,
    isPaged,
    isList,
    readsBody,
    api,
  }
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
