import type { Queryable } from '#db/client.ts'
import { matchesAny } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { readCertificates } from '../alerts/certificates.ts'
import type { ActorContext } from '../context.ts'
import { describeFailedAssertion } from '../schemas/results/assertion-text.ts'
import type { LastFailure } from '../schemas/results/failures.ts'
import type { Service } from '../schemas/services.ts'
import { isTrusted, readTrusts, type Trust } from '../scripts/verified-domains.ts'
import { presentMetrics, readPercentiles } from '../statistics/metrics.ts'

export type ServiceRow = typeof services.$inferSelect

type StateRow = typeof serviceStates.$inferSelect

type PresentContext = Pick<ActorContext, 'actor' | 'settings' | 'now'>

/**
 * Returns services as the API shows them, in the given order: with their state, metrics and unverified targets.
 * `knownTrust` is that of the only service, if the caller has it already.
 */
export async function presentServices(
  db: Queryable,
  ctx: PresentContext,
  rows: ServiceRow[],
  knownTrust?: Trust,
): Promise<Service[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [trustOf, states, percentiles, certificates] = await Promise.all([
    knownTrust ? () => knownTrust : readTrusts(db, ctx.actor.organizationId, ids, ctx.settings),
    db
      .select()
      .from(serviceStates)
      .where(matchesAny(serviceStates.serviceId, ctx.actor.organizationId, ids)),
    readPercentiles(db, 'service', matchesAny(services.id, ctx.actor.organizationId, ids), ctx.now()),
    readCertificates(db, ctx.actor.organizationId, ids, ctx.now()),
  ])
  const stateOf = new Map(states.map((state) => [state.serviceId, state]))
  return rows.map((row) => {
    const state = stateOf.get(row.id)
    const metrics = state ? presentMetrics(state, percentiles.get(row.id)) : null
    return {
      ...present(row, trustOf(row.id), state),
      certificates: certificates.get(row.id) ?? [],
      ...(metrics ? { metrics } : {}),
      ...(state?.lastFailure ? { lastFailure: presentFailure(state.lastFailure) } : {}),
    }
  })
}

/** Returns one service as the API shows it. Within a transaction, it includes the transaction's own changes. */
export async function presentService(
  db: Queryable,
  ctx: PresentContext,
  row: ServiceRow,
  knownTrust?: Trust,
): Promise<Service> {
  const [service] = await presentServices(db, ctx, [row], knownTrust)
  return service as Service
}

/** Returns a service that has never run. `trust` is null for a service without a script. */
export function presentNewService(row: ServiceRow, trust: Trust | null): Service {
  return { ...present(row, trust, undefined), certificates: [] }
}

/** Failures that older releases stored lack `error`, `assertionsTotal` and `summary`. */
function presentFailure(stored: Record<string, unknown>): LastFailure {
  const failure = stored as Omit<LastFailure, 'error' | 'assertionsTotal' | 'summary'> & { error?: string | null }
  const [first] = failure.assertions
  const summary = failure.error ?? (first ? describeFailedAssertion(first) : 'the run failed')
  return { error: null, assertionsTotal: failure.assertions.length, summary, ...failure }
}

function present(row: ServiceRow, trust: Trust | null, state: StateRow | undefined): Omit<Service, 'certificates'> {
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
    sendTraceparent: row.sendTraceparent,
    isActive: row.isActive,
    lastStatus: state?.lastStatus ?? null,
    lastStatusSince: state?.lastStatusSince?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    unverifiedTargets: trust ? row.targetHosts.filter((host) => !isTrusted(host, trust)) : [],
  }
}
