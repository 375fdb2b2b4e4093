import type { Db } from '#db/client.ts'
import { and, eq, ne } from '#db/drizzle.cjs'
import { runs } from '#db/schema/runs.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import type { Outcome } from '../oracles/verdict-oracle.ts'
import { runOf } from './stored-runs.ts'

type Agent = { id: string; slug: string }
/** `writes`: its script may change something at its target. */
type Service = { id: string; organizationId: string; writes?: boolean }
type Part = { agent: Agent; outcome: Outcome }

/** What happens in one slot of the schedule: the scheduled run, and its recheck if it has one. */
export type Slot = { first: Part; recheck: Part | null }

const OUTCOMES: Record<string, Outcome> = { '+': 'success', '-': 'failure', t: 'timeout', s: 'skipped' }
const RECHECK_MS = 10_000
const OPTIONS = { variablesMax: 10 }

/** Reads `a-b+`: a run that fails on agent a, and its recheck that passes on agent b. */
export function readSlot(text: string, agents: Readonly<Record<string, Agent>>): Slot {
  const part = (from: string): Part => ({
    agent: agents[from[0] ?? ''] as Agent,
    outcome: OUTCOMES[from[1] ?? ''] as Outcome,
  })
  return { first: part(text.slice(0, 2)), recheck: text.length > 2 ? part(text.slice(2)) : null }
}

/** Stores a run as a worker does: a scheduled one, or the recheck that has this row. */
export async function storeRun(
  db: Db,
  service: Service,
  { startedAt, recheck = null, ...part }: Part & { startedAt: Date; recheck?: string | null },
): Promise<FinishedRun> {
  const built = runOf({ service, ...part, startedAt })
  const id = recheck ?? built.id
  const cause = recheck ? 'confirmation' : 'schedule'
  const { attempt, organizationId, serviceId, agentId } = built
  const claimed = { state: 'running' as const, attempt, agentId }
  if (recheck) await db.update(runs).set(claimed).where(eq(runs.id, recheck))
  else await db.insert(runs).values({ ...claimed, id, organizationId, serviceId, slot: startedAt, cause })
  const run: FinishedRun = { ...built, writes: service.writes ?? false, id, run: { id, cause, hasValues: false } }
  await finishAndStoreRuns(db, [run], OPTIONS)
  return run
}

/**
 * Stores the runs of a slot, and returns them. @throws Error when a recheck waits that the slot does not have, or none waits
 * for the one that it has
 */
export async function storeSlot(db: Db, service: Service, slot: Slot, startedAt: Date): Promise<FinishedRun[]> {
  const first = await storeRun(db, service, { ...slot.first, startedAt })
  const waiting = await db
    .select()
    .from(runs)
    .where(and(eq(runs.serviceId, service.id), ne(runs.state, 'done')))
  if (waiting.length !== (slot.recheck ? 1 : 0)) throw new Error(`${waiting.length} rechecks wait`)
  const [asked] = waiting
  if (!slot.recheck || !asked) return [first]
  const at = new Date(startedAt.getTime() + RECHECK_MS)
  return [first, await storeRun(db, service, { ...slot.recheck, startedAt: at, recheck: asked.id })]
}
