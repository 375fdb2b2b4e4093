import { and, eq } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { results } from '#db/schema/results.ts'
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
  const stored = agent && (await readStored(tx, agent, isOneOfSeveral))
  if (stored) return stored
  const unknown = { ...UNKNOWN_FAILURE, ...(agent?.summary && { summary: agent.summary }) }
  return { ...run, failure: isOneOfSeveral && agent ? failureOn(unknown, agent.agentSlug) : unknown }
}

/**
 * Returns the last failing run of these agents, null if none fails or its result is no longer stored. `isOneOfSeveral`:
 * the service may run on several agents.
 */
export async function readLastFailingRun(
  tx: Tx,
  agents: AgentState[],
  isOneOfSeveral: boolean,
): Promise<FailingRun | null> {
  const agent = latestOf(agents.filter(({ failingRuns }) => failingRuns > 0))
  return agent ? readStored(tx, agent, isOneOfSeveral) : null
}

function latestOf(agents: AgentState[]): AgentState | undefined {
  return agents.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())[0]
}

async function readStored(tx: Tx, agent: AgentState, isOneOfSeveral: boolean): Promise<FailingRun | null> {
  const [result] = await tx
    .select()
    .from(results)
    .where(
      and(
        eq(results.organizationId, agent.organizationId),
        eq(results.serviceId, agent.serviceId),
        eq(results.startedAt, agent.startedAt),
        eq(results.id, agent.resultId),
      ),
    )
  const found = result && failureOf(result)
  if (!found) return null
  const failure = isOneOfSeveral ? failureOn(found, result.agentSlug) : found
  const failedAssertions = failedAssertionsOf(result.steps).slice(0, FAILED_ASSERTIONS_MAX)
  return { result, agentSlug: result.agentSlug, failedAssertions, failure }
}
