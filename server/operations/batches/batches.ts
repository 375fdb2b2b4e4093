import { eq, inArray } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { BATCH_SERVICES_MAX, Batch, BatchQuery, BatchRequest } from '../../schemas/runs/batches.ts'
import { type BatchScope, inTurn, readBatch, requestBatch } from '../../services/batches.ts'
import { type Meta, memberProcedure, projectProcedure, router, type Waiting, workspaceProcedure } from '../../trpc.ts'

// A batch: runs of several services that one request asks for.

const tags = ['Runs']
const wait: Waiting = {
  pending: ({ id, state }: Batch, ctx) => (state === 'done' ? null : { organizationId: ctx.actor.organizationId, id }),
  read: ({ id }: Batch, ctx) => readBatch(ctx.db, ctx, id),
}
const starts: Meta['api'] = { status: 202, query: ['wait'], optionalBody: true, errors: ['field_invalid'], wait }

const SELECTION = `Requests a run of each service that the request selects and the caller may change. Services that are switched off or have no script are listed with the reason. A batch has at most ${BATCH_SERVICES_MAX} services.`

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/batches/{id}',
      operationId: 'getBatch',
      summary: 'Get a batch of runs, and wait for its end',
      description:
        'Sums up the runs that one request asked for. With `wait`, the response is sent when all of them are done.',
      tags,
    },
    api: { wait },
    needs: { on: ['batch'], level: 'visible' },
  })
  .input(BatchQuery)
  .output(Batch)
  .query(({ ctx, input }) => readBatch(ctx.db, ctx, input.id))

export const batchesRouter = router({ get })

export const runProject = projectProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/projects/{id}/run',
      operationId: 'runProject',
      summary: 'Request a run of each service of a project',
      description: SELECTION,
      tags,
    },
    api: starts,
  })
  .input(BatchRequest)
  .output(Batch)
  .mutation(({ ctx, input }) => {
    const { id, name, workspaceId } = ctx.project
    return run(
      ctx,
      { type: 'project', id, name },
      { workspaceId, projectId: id, within: eq(services.projectId, id) },
      input,
    )
  })

export const runWorkspace = workspaceProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/workspaces/{id}/run',
      operationId: 'runWorkspace',
      summary: 'Request a run of each service of a workspace',
      description: SELECTION,
      tags,
    },
    api: starts,
  })
  .input(BatchRequest)
  .output(Batch)
  .mutation(({ ctx, input }) => {
    const { id, name } = ctx.workspace
    const ofWorkspace = ctx.db
      .select({ id: projects.id })
      .from(projects)
      .where(matchesId(projects.workspaceId, ctx.actor.organizationId, id))
    const within = inArray(services.projectId, ofWorkspace)
    return run(ctx, { type: 'workspace', id, name }, { workspaceId: id, projectId: null, within }, input)
  })

type Target = { type: 'project' | 'workspace'; id: string; name: string }

async function run(ctx: ActorContext, target: Target, scope: BatchScope, request: BatchRequest): Promise<Batch> {
  const { label, state, variables, note } = request
  return inTurn(ctx, async (tx) => {
    const batchId = await requestBatch(tx, ctx, scope, request)
    await audit(tx, ctx, {
      action: `${target.type}.run_services`,
      entityType: target.type,
      entityId: target.id,
      entityName: target.name,
      details: { batchId, label, state, note, variables: Object.keys(variables ?? {}) },
    })
    return readBatch(tx, ctx, batchId)
  })
}
