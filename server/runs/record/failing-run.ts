import type { Tx } from '#db/client.ts'
import { and, between, eq, getTableColumns, sql } from '#db/drizzle.cjs'
import { rowsOf } from '#db/rows.ts'
import { results, serviceAgentStates } from '#db/schema/results.ts'
import {
  FAILED_ASSERTIONS_MAX,
  failedAssertionsOf,
  failureOf,
  failureOn,
  UNKNOWN_FAILURE,
} from '../../results/results/failure.ts'
import type { FailedAssertion, RunFailure } from '../../schemas/results/failures.ts'
import type { FinishedRun } from './finished-run.ts'
import type { AgentState, ChangingRun } from './service-state.ts'

/** The run that explains why a service is failed. */
export type FailingRun = {
  result: Pick<
    FinishedRun['result'],
    'id' | 'startedAt' | 'status' | 'runDurationMs' | 'totalResponseMs' | 'raw' | 'steps'
  >
  agentSlug: string
  failedAssertions: FailedAssertion[]
  failure: RunFailure
}

/**
 * Returns the run behind a failure: this one, or the last one of the failed agents' when this one passes. A passing run
 * can show that a service is failed: when agents die, the failed ones can become half of the living.
 */
export async function readFailingRun(tx: Tx, { run, agents, isOneOfSeveral }: ChangingRun): Promise<FailingRun> {
  const { failure } = run
  if (failure) return { ...run, failure }
  const agent = latestOf(agents.filter(({ isFailed }) => isFailed))
  const stored = agent && (await readStored(tx, [{ agent, isOneOfSeveral }])).get(run.serviceId)
  if (stored) return stored
  const unknown = { ...UNKNOWN_FAILURE, ...(agent?.summary && { summary: agent.summary }) }
  return { ...run, failure: isOneOfSeveral && agent ? failureOn(unknown, agent.agentSlug) : unknown }
}

/** What the agents of one service saw last. `isOneOfSeveral`: the service may run on several agents. */
export type SeenByAgents = { agents: AgentState[]; isOneOfSeveral: boolean }

/** Returns the last failing run of each service, by its id. Those that pass, or whose result is no longer stored, are left out. */
export function readLastFailingRuns(tx: Tx, seen: readonly SeenByAgents[]): Promise<Map<string, FailingRun>> {
  const last = seen.flatMap(({ agents, isOneOfSeveral }) => {
    const agent = latestOf(agents.filter(({ failingRuns }) => failingRuns > 0))
    return agent ? [{ agent, isOneOfSeveral }] : []
  })
  return readStored(tx, last)
}

function latestOf(agents: AgentState[]): AgentState | undefined {
  return agents.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())[0]
}

/** Returns the results that agents saw last, by service. The bounds of time leave out the other partitions. */
async function readStored(
  tx: Tx,
  wanted: readonly { agent: AgentState; isOneOfSeveral: boolean }[],
): Promise<Map<string, FailingRun>> {
  if (wanted.length === 0) return new Map()
  const agents = wanted.map(({ agent }) => agent)
  const starts = agents.map(({ startedAt }) => startedAt).sort((a, b) => a.getTime() - b.getTime())
  const rows = await tx
    .select(getTableColumns(results))
    .from(rowsOf(serviceAgentStates, agents))
    .innerJoin(
      results,
      and(
        eq(results.organizationId, sql`i.organization_id`),
        eq(results.serviceId, sql`i.service_id`),
        eq(results.startedAt, sql`i.started_at`),
        eq(results.id, sql`i.result_id`),
        between(results.startedAt, starts[0] as Date, starts.at(-1) as Date),
      ),
    )
  const byService = new Map(rows.map((row) => [row.serviceId, row]))
  return new Map(
    wanted.flatMap(({ agent: { serviceId }, isOneOfSeveral }): [string, FailingRun][] => {
      const result = byService.get(serviceId)
      const found = result && failureOf(result)
      if (!found) return []
      const failure = isOneOfSeveral ? failureOn(found, result.agentSlug) : found
      const failedAssertions = failedAssertionsOf(result.steps).slice(0, FAILED_ASSERTIONS_MAX)
      return [[serviceId, { result, agentSlug: result.agentSlug, failedAssertions, failure }]]
    }),
  )
}
