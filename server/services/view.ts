import { eq } from 'drizzle-orm'
import { anyOf } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import type { ActorContext } from '../context.ts'
import type { LastFailure, Service } from '../schemas/services.ts'
import { isTrusted, readTrust, type Trust } from '../scripts/verified-domains.ts'
import { presentMetrics, readPercentiles } from '../statistics/metrics.ts'

export type ServiceRow = typeof services.$inferSelect

type StateRow = typeof serviceStates.$inferSelect

/** Services as the API shows them, in the order given: with their state, metrics and unverified targets. */
export async function presentServices(
  db: Queryable,
  ctx: Pick<ActorContext, 'actor' | 'settings' | 'now'>,
  rows: ServiceRow[],
): Promise<Service[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [trust, states, percentiles] = await Promise.all([
    readTrust(db, ctx.actor.organizationId, ctx.settings),
    db.select().from(serviceStates).where(anyOf(serviceStates.serviceId, ids)),
    readPercentiles(db, 'service', anyOf(services.id, ids), ctx.now()),
  ])
  const stateOf = new Map(states.map((state) => [state.serviceId, state]))
  return rows.map((row) => {
    const state = stateOf.get(row.id)
    const metrics = state ? presentMetrics(state, percentiles.get(row.id)) : null
    return {
      ...present(row, trust, state),
      ...(metrics ? { metrics } : {}),
      ...(state?.lastFailure ? { lastFailure: presentFailure(state.lastFailure) } : {}),
    }
  })
}

/** One service; in a transaction as the transaction leaves it. */
export async function presentService(
  db: Queryable,
  ctx: Pick<ActorContext, 'actor' | 'settings' | 'now'>,
  row: ServiceRow,
): Promise<Service> {
  const [service] = await presentServices(db, ctx, [row])
  return service as Service
}

/** The row as it now is, or null when it is gone. */
export async function readServiceRow(db: Queryable, id: string): Promise<ServiceRow | null> {
  const [row] = await db.select().from(services).where(eq(services.id, id))
  return row ?? null
}

/** Failures stored before release 0.4.51 lack what came later. */
function presentFailure(stored: Record<string, unknown>): LastFailure {
  const failure = stored as Omit<LastFailure, 'error' | 'assertionsTotal'>
  return { error: null, assertionsTotal: failure.assertions.length, ...failure }
}

function present(row: ServiceRow, trust: Trust, state: StateRow | undefined): Service {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    label: row.label,
    script: row.script,
    schedule: row.schedule,
    probeMode: row.probeMode,
    queuePolicy: row.queuePolicy,
    serviceWindow: row.serviceWindow,
    saveResponseBodies: row.saveResponseBodies,
    isActive: row.isActive,
    lastStatus: state?.lastStatus ?? null,
    lastStatusSince: state?.lastStatusSince?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    unverifiedTargets: row.targetHosts.filter((host) => !isTrusted(host, trust)),
  }
}
