import { type core, type ZodObject, ZodType } from 'zod'
import { fieldInvalid } from '../../errors.ts'
import { requireStorable, unstorableText } from '../../http/storable.ts'
import { boundOf, describeIssues } from '../../input-errors.ts'
import { pageOffset } from '../../paging.ts'
import type { PageQuery } from '../../schemas/conventions.ts'
import type { Route } from './route.ts'

/** Query parameters that other APIs filter and sort lists with. This API refuses them instead of ignoring them. */
const REFUSED = ['filters', 'sorters']

/** The input of an operation: the fields as they were sent, and as its schemas have parsed them. */
export type Input = { raw: Record<string, unknown>; parsed: Record<string, unknown> }

/**
 * Returns an operation's input from path, query and body, and refuses what its schemas refuse: bad input comes before
 * permissions, which the operation checks between its schemas. Only fields that the operation knows are taken, by name,
 * so nothing a caller sends can touch a prototype. Each field is read from one place only, and bodies are never coerced.
 * @throws ApiError the contract's 400 codes
 */
export function readInput(
  route: Route,
  params: Record<string, string>,
  query: URLSearchParams,
  body: Record<string, unknown>,
): Input {
  const raw: Record<string, unknown> = {}
  for (const [field, location] of route.fields) {
    if (location === 'path') raw[field] = params[field]
    else if (location === 'body') {
      if (Object.hasOwn(body, field)) raw[field] = body[field]
    } else if (query.has(field)) raw[field] = query.get(field)
  }
  const locate = (field: string) => route.fields.get(field) ?? 'body'
  const { parsed, issues } = parse(route, raw)
  const pathIssues = issues.filter((issue) => locate(String(issue.path[0])) === 'path')
  if (pathIssues.length > 0) throw describeIssues(pathIssues, locate, raw)
  refuseQuery(route, query, raw)
  if (issues.length > 0) throw describeIssues(issues, locate, raw, route.api.requiredFields)
  // Page and size can be wrong only together; that too is refused before any permission is checked.
  if (route.fields.has('pageSize')) pageOffset(parsed as PageQuery)
  requireStorable(Object.fromEntries(Object.entries(raw).filter(([field]) => locate(field) === 'body')))
  return { raw, parsed }
}

/** Parses the input by every schema of the operation, as tRPC would, but gathers the issues of all of them. */
function parse(route: Route, raw: Record<string, unknown>) {
  const parsed: Record<string, unknown> = {}
  const issues: core.$ZodIssue[] = []
  for (const schema of route.inputs) {
    const { success, data, error } = schema.safeParse(raw)
    if (success) Object.assign(parsed, data)
    else issues.push(...error.issues.map((issue) => withNull(schema, issue)))
  }
  return { parsed, issues }
}

/** Adds null to the reason for a wrong type when the field accepts null. Zod names only the inner type. */
function withNull(schema: ZodObject, issue: core.$ZodIssue): core.$ZodIssue {
  const [field, ...inner] = issue.path
  const accepted = issue.code === 'invalid_type' && inner.length === 0 ? schema.shape[String(field)] : undefined
  const isNullable = accepted instanceof ZodType && accepted.safeParse(null).success
  return isNullable ? { ...issue, message: `${issue.message} or null` } : issue
}

function refuseQuery(route: Route, query: URLSearchParams, raw: Record<string, unknown>): void {
  for (const name of route.isList ? REFUSED : []) {
    if (query.has(name)) throw fieldInvalid(name, 'is not supported: lists cannot be filtered or sorted')
  }
  for (const [name, location] of route.fields) {
    const [value = '', ...repeated] = location === 'query' ? query.getAll(name) : []
    if (repeated.length > 0) {
      const max = boundOf(name, raw)
      throw fieldInvalid(name, 'must be given once', max === null ? {} : { max })
    }
    const reason = unstorableText(value)
    if (reason) throw fieldInvalid(name, reason)
  }
}
