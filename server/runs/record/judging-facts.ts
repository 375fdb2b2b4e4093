import type { Tx } from '#db/client.ts'
import { and, asc, getTableColumns, isNotNull, sql } from '#db/drizzle.cjs'
import { matchesRow, matchesRows, type RowKey, servicesOf } from '#db/row-match.ts'
import { insertRows } from '#db/rows.ts'
import { services } from '#db/schema/resources.ts'
import { serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { toAlertSettings } from '../../alerts/alerts/alert-settings.ts'
import { type EligibleAgent, eligibleAgents } from '../../schedule/placement.ts'
import type { PreparedRun } from './prepared-run.ts'
import { readSkippedAgents } from './rechecks/skipped-agents.ts'
import type { AgentState, AlertSettings, ServiceState } from './service-state.ts'

/** What runs are judged by, each by service. */
export type JudgingFacts = {
  states: ReadonlyMap<string, ServiceState>
  settings: ReadonlyMap<string, AlertSettings>
  /** What each agent saw last, by its id. */
  agents: ReadonlyMap<string, ReadonlyMap<string, AgentState>>
  /** Agents whose own last part was skipped, of services with the mode `simultaneous`. */
  skipped: ReadonlyMap<string, ReadonlySet<string>>
  /** Of services whose state depends on their agents or may change, because then a cause names one. */
  eligible: ReadonlyMap<string, readonly EligibleAgent[]>
}

/**
 * Locks the states of the services of these runs for the transaction, so that the runs of one service are stored one after
 * another, and reads the rest once they are locked.
 */
export async function lockFacts(tx: Tx, runs: PreparedRun[]): Promise<JudgingFacts> {
  const wanted = servicesOf(runs).sort((a, b) => (a.id < b.id ? -1 : 1))
  const states = await lockStates(tx, wanted)
  const settings = await readAlertSettings(tx, wanted)
  const agents = await readAgentStates(tx, wanted)
  const isForAll = ({ id }: RowKey<string>) => settings.get(id)?.probeMode === 'simultaneous'
  const skipped = await readSkippedAgents(tx, wanted.filter(isForAll))
  const mayChange = runs.filter(
    ({ serviceId, failure, failedChecks }) =>
      failure ||
      failedChecks ||
      settings.get(serviceId)?.probeMode === 'simultaneous' ||
      states.get(serviceId)?.isAlerting ||
      [...(agents.get(serviceId)?.values() ?? [])].some(({ failingRuns }) => failingRuns > 0),
  )
  const eligible = mayChange.length > 0 ? await eligibleAgents(tx, servicesOf(mayChange)) : new Map()
  return { states, settings, agents, skipped, eligible }
}

const { lastFailure: _, foldedUntil: __, ...STATE } = getTableColumns(serviceStates)

/** The services are in the order of their ids, in which all writers lock. */
async function lockStates(tx: Tx, wanted: readonly RowKey<string>[]): Promise<Map<string, ServiceState>> {
  const rows = wanted.map(({ organizationId, id: serviceId }) => ({ organizationId, serviceId }))
  await insertRows(tx, serviceStates, rows, sql`on conflict do nothing`)
  const states = await tx
    .select(STATE)
    .from(serviceStates)
    .where(matchesRows(serviceStates.serviceId, wanted))
    .orderBy(asc(serviceStates.serviceId))
    .for('update')
  return new Map(states.map((state) => [state.serviceId, { ...state, newFailure: null }]))
}

export async function readAlertSettings(
  tx: Tx,
  wanted: readonly RowKey<string>[],
): Promise<Map<string, AlertSettings>> {
  const rows = await tx
    .select({ id: services.id, probeMode: services.probeMode, key: variables.key, value: variables.value })
    .from(services)
    .leftJoin(variables, and(matchesRow(variables.serviceId, services), isNotNull(variables.systemType)))
    .where(matchesRows(services.id, wanted))
  const byService = Map.groupBy(rows, (row) => row.id)
  return new Map(
    wanted.map(({ id }) => {
      const own = byService.get(id) ?? []
      return [id, { probeMode: own[0]?.probeMode ?? 'consecutive', ...toAlertSettings(own) }]
    }),
  )
}

async function readAgentStates(
  tx: Tx,
  wanted: readonly RowKey<string>[],
): Promise<Map<string, Map<string, AgentState>>> {
  const rows = await tx
    .select()
    .from(serviceAgentStates)
    .where(matchesRows(serviceAgentStates.serviceId, wanted))
    .orderBy(asc(serviceAgentStates.agentSlug))
  const byService = Map.groupBy(rows, (row) => row.serviceId)
  return new Map([...byService].map(([id, own]) => [id, new Map(own.map((state) => [state.agentId, state]))]))
}
