import { sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { servicesOf } from '#db/row-match.ts'
import { type UpdateStatement, updateOrMissing } from '#db/rows-statement.ts'
import type { Sketch } from '../../statistics/sketch.ts'
import type { FinishedRun } from '../finished-run.ts'
import {
  type AssertionAddition,
  type EndpointAddition,
  type HourAdditions,
  type RunHourAddition,
  sumByHour,
} from './additions.ts'
import { addToDays } from './days.ts'
import {
  addAssertions,
  addEndpointHours,
  addRunHours,
  deleteRecentSums,
  findFullHours,
  type RunHourKey,
  updateAssertionHours,
  updateEndpointHours,
  updateRunHours,
} from './hour-statements.ts'
import { spreadCleanRuns } from './spread-clean-runs.ts'

// Adds the sums of a batch to the hourly roll-ups. Most hours exist already and list their latencies: updating them needs no
// names, definitions and bins, and less than half the time of an upsert.

/** Adds runs to the roll-ups. The caller holds the locks on the states of their services. */
export async function addToHours(tx: Tx, runs: FinishedRun[]): Promise<void> {
  const services = servicesOf(runs)
  const states = await tx.execute<{ service_id: string; folded_until: string }>(sql`
    select service_id, folded_until from service_states
    where organization_id = any(${uuids(services.map((service) => service.organizationId))})
      and service_id = any(${uuids(services.map((service) => service.id))})`)
  const foldedUntil = new Map(states.map((row) => [row.service_id, new Date(row.folded_until)]))
  const isLate = (run: FinishedRun) => run.result.startedAt < (foldedUntil.get(run.serviceId) as Date)
  const hours = sumByHour(runs, (run) => !isLate(run))
  await deleteRecentSums(tx, hours.runs)
  await upsertHours(tx, await updateHours(tx, hours))
  await addToDays(
    tx,
    sumByHour(runs.filter(isLate), () => false),
  )
}

/**
 * Adds sums to hours that exist, and returns those that are left to `upsertHours`. The caller holds the locks on the states
 * of the services, so no other transaction writes the same rows.
 */
async function updateHours(tx: Tx, { runs, endpoints, assertions }: HourAdditions): Promise<HourAdditions> {
  const left = await Promise.all([
    updateWhere(tx, runs, isListed, updateRunHours),
    updateWhere(tx, endpoints, (sum) => isListed(sum) && sum.status !== null, updateEndpointHours),
    updateWhere(tx, assertions, () => true, updateAssertionHours),
  ])
  return { runs: left[0], endpoints: left[1], assertions: left[2] }
}

/** Adds sums to hours, whether they exist or not. The caller holds the locks. */
async function upsertHours(tx: Tx, { runs, endpoints, assertions }: HourAdditions): Promise<void> {
  const [left] = await Promise.all([upsertRunHours(tx, runs), upsertCalls(tx, endpoints, assertions)])
  if (left.length === 0) return
  const full = await findFullHours(tx, left)
  if (full.length > 0) await spreadCleanRuns(tx, full)
  // The others count other clean runs.
  const others = await upsertRunHours(tx, left)
  const runsOf = others.flatMap(({ clean }) => clean?.runs ?? [])
  const calls = sumByHour(runsOf, () => false)
  await upsertRunHours(
    tx,
    others.map((row) => ({ ...row, clean: null })),
  )
  await upsertCalls(tx, calls.endpoints, calls.assertions)
}

/** Adds sums of runs, and returns those whose clean runs do not fit into their row. */
async function upsertRunHours(tx: Tx, rows: RunHourAddition[]): Promise<RunHourAddition[]> {
  if (rows.length === 0) return []
  const added = new Set((await tx.execute<RunHourKey>(addRunHours(rows))).map(keyOf))
  return added.size === rows.length ? [] : rows.filter((row) => !added.has(keyOf(row)))
}

async function upsertCalls(tx: Tx, endpoints: EndpointAddition[], assertions: AssertionAddition[]): Promise<void> {
  await Promise.all([
    endpoints.length > 0 && tx.execute(addEndpointHours(endpoints)),
    assertions.length > 0 && tx.execute(addAssertions('hour', assertions)),
  ])
}

function keyOf({ service_id, bucket, agent_slug }: RunHourKey): string {
  return `${service_id} ${Date.parse(bucket)} ${agent_slug}`
}

/** Updates the rows of which the statement is capable, and returns all that are not updated. */
async function updateWhere<T>(
  tx: Tx,
  rows: readonly T[],
  isCapable: (row: T) => boolean,
  update: UpdateStatement<T>,
): Promise<T[]> {
  const updated = rows.filter(isCapable)
  const missing = updated.length > 0 ? await updateOrMissing(tx, updated, update) : []
  return updated.length === rows.length ? missing : [...missing, ...rows.filter((row) => !isCapable(row))]
}

function isListed({ bins }: Sketch): boolean {
  return bins === null
}
