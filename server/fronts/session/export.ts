import { z } from 'zod'
import { audit } from '../../audit.ts'
import type { ActorContext, Context } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { describeIssues } from '../../input-errors.ts'
import { requireProject, requireService, requireWorkspace } from '../../resources.ts'
import { Id } from '../../schemas/conventions.ts'
import { projectConfiguration, workspaceConfiguration } from './export-configuration.ts'
import { resultsAsCsv, resultsAsJsonLines } from './export-results.ts'

// Downloads from the dashboard, which tRPC cannot stream. A file is produced while the client reads it, one page of rows
// at a time, and holds no database connection in between.

export const EXPORT_PATH = '/api/export'

const ResultsQuery = z.object({
  format: z.enum(['csv', 'ndjson']),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})

type Exported = { name: string; type: string; text: AsyncGenerator<string> }

/**
 * Serves `GET /api/export/services/{id}/results?format=csv|ndjson[&since][&until]`, `…/projects/{id}` and
 * `…/workspaces/{id}`. Requires a session and reach `read`, and writes an audit entry before the first byte.
 * @throws ApiError
 */
export async function serveExport(ctx: Context, request: Request): Promise<Response> {
  if (request.method !== 'GET') throw new ApiError('method_not_allowed', undefined, { Allow: 'GET' })
  // A link on another site must not start a download and leave an audit entry.
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new ApiError('cross_site_request')
  if (!ctx.actor) throw new ApiError(ctx.session?.unenrolled ? 'totp_enrollment_required' : 'session_required')

  const { pathname, searchParams } = new URL(request.url)
  const [kind, id, part, ...rest] = pathname.slice(EXPORT_PATH.length + 1).split('/')
  if (rest.length > 0) throw notFound()
  const exported = await findExport(
    ctx as ActorContext,
    `${kind}${part === undefined ? '' : `/${part}`}`,
    id,
    searchParams,
  )
  return new Response(toStream(exported.text), {
    headers: {
      'Content-Type': exported.type,
      'Content-Disposition': `attachment; filename="${exported.name}"`,
    },
  })
}

async function findExport(
  ctx: ActorContext,
  kind: string,
  id: string | undefined,
  query: URLSearchParams,
): Promise<Exported> {
  const readId = () => parse(z.object({ id: Id }), { id }, 'path').id
  if (kind === 'services/results') {
    const service = await requireService(ctx, readId(), 'read')
    const { format, ...range } = parse(ResultsQuery, Object.fromEntries(query), 'query')
    await record(ctx, 'service.export_results', service, { format, ...range })
    const name = `results-${service.id}.${format}`
    return format === 'csv'
      ? { name, type: 'text/csv; charset=utf-8', text: resultsAsCsv(ctx, service, range) }
      : { name, type: 'application/x-ndjson; charset=utf-8', text: resultsAsJsonLines(ctx, service, range) }
  }
  const type = 'application/json; charset=utf-8'
  if (kind === 'projects') {
    const project = await requireProject(ctx, readId(), 'read')
    await record(ctx, 'project.export', project)
    return { name: `project-${project.id}.json`, type, text: projectConfiguration(ctx, project) }
  }
  if (kind === 'workspaces') {
    const workspace = await requireWorkspace(ctx, readId(), 'read')
    await record(ctx, 'workspace.export', workspace)
    return { name: `workspace-${workspace.id}.json`, type, text: workspaceConfiguration(ctx, workspace) }
  }
  throw notFound()
}

function parse<T extends z.ZodType>(schema: T, value: unknown, location: 'path' | 'query'): z.output<T> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw describeIssues(parsed.error.issues, () => location, value)
  return parsed.data
}

async function record(
  ctx: ActorContext,
  action: string,
  { id, name }: { id: string; name: string },
  details?: Record<string, unknown>,
): Promise<void> {
  const entityType = action.slice(0, action.indexOf('.'))
  await audit(ctx.db, ctx, { action, entityType, entityId: id, entityName: name, ...(details ? { details } : {}) })
}

/** Produces only as fast as the client reads. */
function toStream(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await text.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
