import type { Tx } from '#db/client.ts'
import { type UpdateStatement, updateOrMissing } from '#db/rows-statement.ts'
import type { Sketch } from '../../statistics/sketch.ts'
import {
  type AssertionAddition,
  type EndpointAddition,
  type HourAdditions,
  type RunHourAddition,
  sumByHour,
} from './additions.ts'
import {
  addAssertions,
  addEndpointHours,
  addRunHours,
  findFullHours,
  type RunHourKey,
  updateAssertionHours,
  updateEndpointHours,
  updateRunHours,
} from './hour-statements.ts'
import { spreadCleanRuns } from './spread-clean-runs.ts'

// Adds the sums of a batch to the hourly roll-ups. Most hours exist already and list their latencies: updating them needs no
// names, definitions and bins, and less than half the time of an upsert.

/**
 * Adds sums to hours that exist, and returns those that are left to `upsertHours`. The caller holds the locks on the states
 * of the services, so no other transaction writes the same rows.
 */
export async function updateHours(tx: Tx, { runs, endpoints, assertions }: HourAdditions): Promise<HourAdditions> {
  const left = await Promise.all([
    updateWhere(tx, runs, isListed, updateRunHours),
    updateWhere(tx, endpoints, (sum) => isListed(sum) && sum.status !== null, updateEndpointHours),
    updateWhere(tx, assertions, () => true, updateAssertionHours),
  ])
  return { runs: left[0], endpoints: left[1], assertions: left[2] }
}

/** Adds sums to hours, whether they exist or not. The caller holds the locks. */
export async function upsertHours(tx: Tx, { runs, endpoints, assertions }: HourAdditions): Promise<void> {
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
