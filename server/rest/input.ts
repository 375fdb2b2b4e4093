import { ApiError, fieldInvalid } from '../errors.ts'
import { type BodyBounds, readJsonBody, refuseUnfitBody } from '../http/body.ts'
import { findUnstorable, unstorableText } from '../http/storable.ts'
import { boundOf, describeIssues } from '../input-errors.ts'
import { pageOffset } from '../paging.ts'
import { PageQuery } from '../schemas/conventions.ts'
import type { Route } from './route.ts'

/** Reserved words of lists that filter and sort; this API does neither, and does not pretend to by ignoring them. */
const REFUSED = ['filters', 'sorters']

/**
 * The input of an operation, put together from path, query and body and checked by its schemas. Only fields the
 * operation knows are taken, by name, so nothing a caller sends can touch a prototype; a field is read from one place
 * only, and bodies are never coerced.
 * @throws ApiError the contract's 400 codes, and `request_body_too_large`
 */
export async function readInput(
  route: Route,
  params: Record<string, string>,
  query: URLSearchParams,
  request: Request,
  bounds: BodyBounds,
): Promise<Record<string, unknown>> {
  const body = route.readsBody ? await readJsonBody(request, bounds.maxBytes, bounds.maxMs) : {}
  if (!route.readsBody && route.method !== 'GET') await refuseUnfitBody(request, bounds)
  const input: Record<string, unknown> = {}
  const repeated: string[] = []
  for (const [field, location] of route.fields) {
    if (location === 'path') input[field] = params[field]
    else if (location === 'body') {
      if (Object.hasOwn(body, field)) input[field] = body[field]
    } else {
      const values = query.getAll(field)
      if (values.length > 0) input[field] = values[0]
      if (values.length > 1) repeated.push(field)
    }
  }
  const locate = (field: string) => route.fields.get(field) ?? 'body'
  const issues = route.inputs.flatMap((schema) => schema.safeParse(input).error?.issues ?? [])
  const pathIssues = issues.filter((issue) => locate(String(issue.path[0])) === 'path')
  if (pathIssues.length > 0) throw describeIssues(pathIssues, locate, input)
  refuseQuery(route, query, input, repeated)
  if (issues.length > 0) throw describeIssues(issues, locate, input, route.api.requiredFields)
  // What page and size come to together, before any permission is looked at.
  if (route.isPaged) pageOffset(PageQuery.parse(input))
  refuseUnstorable(route, input)
  return input
}

function refuseQuery(route: Route, query: URLSearchParams, input: Record<string, unknown>, repeated: string[]): void {
  for (const name of route.isList ? REFUSED : []) {
    if (query.has(name)) throw fieldInvalid(name, 'lists cannot be filtered or sorted')
  }
  const [field] = repeated
  if (field) {
    const max = boundOf(field, input)
    throw fieldInvalid(field, 'must be given once', max === null ? {} : { max })
  }
  for (const [name, location] of route.fields) {
    const reason = location === 'query' && typeof input[name] === 'string' ? unstorableText(input[name]) : null
    if (reason) throw fieldInvalid(name, reason)
  }
}

function refuseUnstorable(route: Route, input: Record<string, unknown>): void {
  const fromBody = Object.entries(input).filter(([field]) => route.fields.get(field) === 'body')
  const found = findUnstorable(Object.fromEntries(fromBody))
  if (found) {
    throw new ApiError('invalid_request_body', { field: found.path.map(String).join('.'), reason: found.reason })
  }
}
