import { and, desc, eq, gte } from 'drizzle-orm'
import { databaseNow } from '#db/clock.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { audit } from '../../audit.ts'
import { ApiError, notFound } from '../../errors.ts'
import { retentionStart } from '../../results/retention.ts'
import { requestRun } from '../../schedule/run-requests.ts'
import { RECENT_PROBES, RunRequested, ServiceSnapshot } from '../../schemas/services.ts'
import { presentService } from '../../services/view.ts'
import { serviceProcedure } from '../../trpc.ts'

export const run = serviceProcedure('write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/services/{id}/run',
      operationId: 'runService',
      summary: 'Request a run now',
      description:
        'The run happens asynchronously. To find its result, list the results with `since` set to `requestedAt`. A run that waits already is not queued a second time.',
      tags: ['Services'],
    },
    api: { status: 202, noBody: true, errors: ['service_inactive', 'script_missing'] },
  })
  .output(RunRequested)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      // Locked, so that the service is not switched off before the run is requested.
      const [row] = await tx.select().from(services).where(eq(services.id, ctx.service.id)).for('share')
      if (!row) throw notFound()
      if (row.script === null) throw new ApiError('script_missing')
      if (!row.isActive) throw new ApiError('service_inactive')
      // The database's clock, which also sets the start of runs, so that `since: requestedAt` finds this run.
      const now = await databaseNow(tx)
      await requestRun(tx, row, now)
      await audit(tx, ctx, {
        action: 'service.run',
        entityType: 'service',
        entityId: row.id,
        entityName: row.name,
      })
      const requestedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString()
      return { ok: true as const, requestedAt }
    }),
  )

export const snapshot = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/snapshot',
      operationId: 'getServiceSnapshot',
      summary: 'Get a service and its most recent runs in one read',
      description: 'For status displays: the service as `getService` returns it, with its latest runs in short.',
      tags: ['Services'],
    },
  })
  .output(ServiceSnapshot)
  .query(async ({ ctx }) => {
    const [service, recent] = await Promise.all([
      presentService(ctx.db, ctx, ctx.service),
      ctx.db
        .select({
          status: results.status,
          totalResponseMs: results.totalResponseMs,
          callCount: results.callCount,
          failedCalls: results.failedCalls,
          startedAt: results.startedAt,
        })
        .from(results)
        .where(
          and(
            eq(results.organizationId, ctx.service.organizationId),
            eq(results.serviceId, ctx.service.id),
            gte(results.startedAt, retentionStart(ctx.now(), ctx.settings.RESULT_RETENTION_DAYS)),
          ),
        )
        .orderBy(desc(results.startedAt), desc(results.id))
        .limit(RECENT_PROBES),
    ])
    return {
      service,
      recentProbes: recent.map((row) => ({
        status: row.status,
        avgResponseMs: row.callCount === 0 ? null : Math.round(row.totalResponseMs / row.callCount),
        callCount: row.callCount,
        failedCalls: row.failedCalls,
        timestamp: Math.floor(row.startedAt.getTime() / 1_000),
      })),
    }
  })
