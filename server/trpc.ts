import { type AnyProcedure, initTRPC, type TRPCError } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { LEVEL_NEEDED, type Reach } from './access.ts'
import type { ActorContext, Context } from './context.ts'
import { ApiError, toApiError } from './errors.ts'
import { describeInvalidInput } from './input-errors.ts'
import type { Awaited } from './live/run-waits.ts'
import { currentTracing } from './process/tracing.ts'
import { requireProject, requireService, requireWorkspace } from './resources.ts'
import type { Section } from './schemas/account/sections.ts'
import { ProjectId, ServiceId, WorkspaceId } from './schemas/conventions.ts'
import { dashboardTextOf, type ErrorCode } from './schemas/errors/error-table.ts'
import type { ResourceType } from './schemas/scopes.ts'

/** The permission that an operation needs. The guide lists it, and a test compares it with the permission matrix. */
export type Needs = {
  /** The level on a section of the organization. */
  section?: readonly [Section, 'read' | 'write']
  /** The resource of the request, one of these, and the level on it. */
  on?: readonly NeededResource[]
  level?: Reach
}

export type NeededResource = ResourceType | 'batch' | 'incident' | 'maintenance' | 'silence'

/** What an operation declares besides its schemas. `openapi` makes it part of the public API. */
export type Meta = OpenApiMeta & {
  needs?: Needs
  api?: {
    /** The status of success; 200 when absent. */
    status?: 202
    /** The operation may respond with 204: its handler returns undefined. */
    noContent?: true
    /** Error codes of this operation; the document adds those that every operation has. */
    errors?: ErrorCode[]
    /** For methods with a body: the input fields that come from the query instead. */
    query?: string[]
    /** Body fields that are `field_required` when missing, as query parameters are, not `invalid_request_body`. */
    requiredFields?: string[]
    /** The operation may be called without a body, which then counts as an empty object. */
    optionalBody?: true
    /** The operation takes no body. */
    noBody?: true
    /** The operation has an input `wait`: the facade holds the request until the runs in its output are done. */
    wait?: Waiting
  }
}

/** How the facade waits for the run or the batch of an output, outside of the operation and without a connection. */
export type Waiting = {
  /** Returns the run or batch in the output, or null when it is done. */
  pending: (output: never, ctx: ActorContext) => Awaited | null
  /** Reads the output again. */
  read: (output: never, ctx: ActorContext, input: Record<string, unknown>) => Promise<unknown>
}

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    isDev: false,
    // Proxies close connections that are silent for a minute.
    sse: { ping: { enabled: true, intervalMs: 15_000 } },
    errorFormatter({ shape, error, input }) {
      const known = describeError(error, input)
      return {
        message: dashboardTextOf(known),
        code: shape.code,
        data: { code: known.api, httpStatus: known.status, details: known.details ?? null },
      }
    },
  })

/** The codes for errors of tRPC itself, before it reaches an operation. */
const PROTOCOL_ERRORS: Partial<Record<TRPCError['code'], ErrorCode>> = {
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PARSE_ERROR: 'invalid_request_body',
  BAD_REQUEST: 'invalid_request_body',
  UNSUPPORTED_MEDIA_TYPE: 'invalid_request_body',
}

/** Returns the error that the dashboard may see: refused input by its first problem, the rest as `toApiError` does. */
export function describeError(error: TRPCError, input?: unknown): ApiError {
  const known = toApiError(error)
  if (known.api !== 'internal_error') return known
  const protocol = PROTOCOL_ERRORS[error.code]
  return describeInvalidInput(error, undefined, input) ?? (protocol ? new ApiError(protocol) : known)
}

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** The base of all procedures: with OpenTelemetry, each operation is a span. */
const procedure = t.procedure.use(({ path, next }) => {
  const tracing = currentTracing()
  if (!tracing) return next()
  return tracing.span(path, {}, async (span) => {
    const result = await next()
    if (!result.ok) span.fail(describeError(result.error).api)
    return result
  })
})

/** Open to everyone on the dashboard, signed in or not: sign-in, setup, invitations. Refuses the public API. */
export const publicProcedure = procedure.use(({ ctx, next }) => {
  if (!ctx.session) throw new ApiError('session_required')
  return next({ ctx: { session: ctx.session } })
})

/** Any member of the organization. */
export const memberProcedure = procedure.use(({ ctx, next }) => {
  if (!ctx.actor) throw new ApiError(ctx.session?.unenrolled ? 'totp_enrollment_required' : 'session_required')
  return next({ ctx: { actor: ctx.actor } })
})

/** A person in the dashboard: for what a key may never do. */
export const sessionProcedure = memberProcedure.use(({ ctx, next }) => {
  if (!ctx.session || !ctx.actor.sessionId) throw new ApiError('session_required')
  return next({ ctx: { session: ctx.session, sessionId: ctx.actor.sessionId } })
})

/** A person in the dashboard, even one who must first enrol a second factor: for enrolment and sign-out. */
export const signedInProcedure = procedure.use(({ ctx, next }) => {
  const actor = ctx.actor ?? ctx.session?.unenrolled
  if (!ctx.session || !actor?.sessionId) throw new ApiError('session_required')
  return next({ ctx: { actor, session: ctx.session, sessionId: actor.sessionId } })
})

/** Requires a level on a section of the organization, or throws `insufficient_permissions`. */
export function orgProcedure(section: Section, level: 'read' | 'write') {
  return memberProcedure.meta({ needs: { section: [section, level] } }).use(({ ctx, next }) => {
    requireSection(ctx, section, level)
    return next()
  })
}

/** Requires the same of a person in the dashboard: for operations that API keys may not use. */
export function orgSessionProcedure(section: Section, level: 'read' | 'write') {
  return sessionProcedure.use(({ ctx, next }) => {
    requireSection(ctx, section, level)
    return next()
  })
}

/** The same with one of several levels. */
export function orgSessionProcedureOfAny(...needed: (readonly [Section, 'read' | 'write'])[]) {
  return sessionProcedure.use(({ ctx, next }) => {
    if (!needed.some(([section, level]) => hasSection(ctx, section, level))) {
      throw new ApiError('insufficient_permissions')
    }
    return next()
  })
}

/** @throws ApiError `insufficient_permissions` */
export function requireSection(ctx: ActorContext, section: Section, level: 'read' | 'write'): void {
  if (!hasSection(ctx, section, level)) throw new ApiError('insufficient_permissions')
}

function hasSection(ctx: ActorContext, section: Section, level: 'read' | 'write'): boolean {
  return ctx.actor.sections[section] >= LEVEL_NEEDED[level]
}

/** Loads the workspace of input `id` into `ctx.workspace`, or throws `not_found`. */
export function workspaceProcedure(reach: Reach) {
  const needs: Needs = { on: ['workspace'], level: reach }
  return memberProcedure
    .meta({ needs })
    .input(z.object({ id: WorkspaceId }))
    .use(async ({ ctx, input, next }) => {
      return next({ ctx: { workspace: await requireWorkspace(ctx, input.id, reach) } })
    })
}

/** Loads the project of input `id` into `ctx.project`, or throws `not_found`. */
export function projectProcedure(reach: Reach) {
  const needs: Needs = { on: ['project'], level: reach }
  return memberProcedure
    .meta({ needs })
    .input(z.object({ id: ProjectId }))
    .use(async ({ ctx, input, next }) => {
      return next({ ctx: { project: await requireProject(ctx, input.id, reach) } })
    })
}

/** Loads the service of input `id` into `ctx.service`, or throws `not_found`. */
export function serviceProcedure(reach: Reach) {
  const needs: Needs = { on: ['service'], level: reach }
  return memberProcedure
    .meta({ needs })
    .input(z.object({ id: ServiceId }))
    .use(async ({ ctx, input, next }) => {
      return next({ ctx: { service: await requireService(ctx, input.id, reach) } })
    })
}

/**
 * Calls a procedure as tRPC's own caller does, without looking it up by name. Its schemas parse the input piece by piece,
 * between its permission checks.
 * @throws TRPCError
 */
export async function callProcedure(procedure: AnyProcedure, path: string, ctx: Context, input: unknown) {
  const call = procedure as unknown as (options: CallOptions) => Promise<unknown>
  const { type } = procedure._def
  return call({ ctx, path, type, getRawInput: async () => input, signal: undefined, batchIndex: 0 })
}

/**
 * Returns a procedure with the checks of another one and nothing behind them: of permission and input, in their order.
 */
export function checksOf(procedure: AnyProcedure): AnyProcedure {
  const { middlewares } = procedure._def as unknown as { middlewares: { _type?: 'input' | 'output' }[] }
  // The last one is the operation itself.
  const checks = middlewares.filter(({ _type }) => _type !== 'output').slice(0, -1)
  return t.procedure.concat({ _def: { middlewares: checks } } as never).query(() => undefined)
}

type CallOptions = {
  ctx: Context
  path: string
  type: string
  getRawInput: () => Promise<unknown>
  signal: undefined
  batchIndex: number
}
