import type { AnyProcedure } from '@trpc/server'
import { forEachOpenApiProcedure, getPathParameters } from 'trpc-to-openapi'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { FieldLocation } from '../../input-errors.ts'
import type { AppRouter } from '../../router.ts'
import { callProcedure, checksOf, type Meta, type Needs } from '../../trpc.ts'

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
  needs: Needs
  inputs: z.ZodObject[]
  output: z.ZodType
  /** Where each input field is read from. Other fields are ignored. */
  fields: ReadonlyMap<string, FieldLocation>
  /** Returns a list, in pages or whole. */
  isList: boolean
  readsBody: boolean
  api: NonNullable<Meta['api']>
}

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
  // A brace sorts after every letter.
  const shapes = [...Map.groupBy(routes, ({ path }) => path.replace(/\{[^}]+\}/g, '{}'))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([shape, own]) => ({ template: shape.split('/'), own }))
  return {
    routes,
    match(method, path) {
      const given = path.split('/')
      const fits = (part: string, index: number) => part === '{}' || part === given[index]
      const own = shapes.find(({ template }) => template.length === given.length && template.every(fits))?.own
      if (!own) return null
      const route = own.find((each) => each.method === (method === 'HEAD' ? 'GET' : method))
      if (!route) {
        const methods = own.flatMap((each) => (each.method === 'GET' ? ['GET', 'HEAD'] : each.method))
        return { allow: methods.sort().join(', ') }
      }
      const template = route.path.split('/')
      const names = getPathParameters(route.path)
      return {
        route,
        params: Object.fromEntries(names.map((name) => [name, given[template.indexOf(`{${name}}`)] ?? ''])),
      }
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
  const inPath = getPathParameters(path)
  const readsBody = (method === 'POST' || method === 'PUT' || method === 'PATCH') && !api.noBody
  const fields = new Map(
    names.map((field): [string, FieldLocation] => {
      if (inPath.includes(field)) return [field, 'path']
      return [field, readsBody && !api.query?.includes(field) ? 'body' : 'query']
    }),
  )
  const { output } = procedure._def as unknown as { output: z.ZodType }
  const isList = method === 'GET' && (fields.has('pageSize') || output instanceof z.ZodArray)
  const checks = checksOf(procedure)
  return {
    method,
    path,
    operationId,
    name,
    call: (ctx, input) => callProcedure(procedure, name, ctx, input),
    permit: (ctx, input) => callProcedure(checks, name, ctx, input),
    needs: meta.needs ?? {},
    inputs,
    output,
    fields,
    isList,
    readsBody,
    api,
  }
}
