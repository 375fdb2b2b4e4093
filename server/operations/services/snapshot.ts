import { and, desc, gte } from 'drizzle-orm'
import { results } from '#db/schema/results.ts'
import { retentionStart } from '../../results/retention.ts'
import { RECENT_PROBES, ServiceSnapshot } from '../../schemas/services.ts'
import { presentService } from '../../services/view.ts'
import { ofServiceResults } from '../../statistics/rollups.ts'
import { serviceProcedure } from '../../trpc.ts'

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
            ofServiceResults(ctx.service),
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
