import { setTimeout as sleep } from 'node:timers/promises'
import type { Schemas } from '../client/create-client.ts'
import { CliError } from '../exit-codes.ts'
import { showDuration } from '../output/duration.ts'
import { describeFailure } from './failed-result.ts'
import { applyBatch, applyRun, giveUp } from './judge.ts'
import type { FailedResult, RunItem } from './report.ts'
import type { RunApi } from './run-api.ts'

export type Following = {
  api: RunApi
  signal: AbortSignal
  timeoutMs: number
  /** On the clock of `performance.now()`. */
  deadline: number
  /** The longest wait of one request, in seconds. A terminal wants to see progress. */
  waitSeconds: number
  /** Called when an item has changed, with the details of a failure. */
  onChange: () => void
}

/** Requests at once. */
const CONCURRENT = 4
/** Requests for what failed, so that a batch costs a bounded part of the key's budget. */
const DETAIL_REQUESTS_MAX = 50
/** A waiting request that returns at once, as during a shutdown, must not be repeated at once. */
const SHORTEST_WAIT_MS = 500

/** Waits until each run is done or the time is over. @throws the signal's reason */
export async function followRuns(items: RunItem[], following: Following): Promise<void> {
  const details = { left: DETAIL_REQUESTS_MAX }
  const read = async (item: RunItem, seconds: number) => {
    const { runId, serviceId } = item
    if (runId === null) return
    await step(following, [item], async () => {
      const run = await following.api.readRun(serviceId, runId, seconds)
      applyRun(item, run)
      if (item.verdict === 'failed') item.failures = await readFailures(following, item, run.results, details)
    })
    following.onChange()
  }
  const isOpen = (item: RunItem) => item.verdict === 'pending' && item.runId !== null
  // One request for each in turn, so that runs that hang keep no other one from being read.
  const waiting = items.filter(isOpen)
  await atOnce(async () => {
    for (let item = waiting.shift(); item && hasTime(following); item = waiting.shift()) {
      await read(item, secondsOf(following))
      if (isOpen(item)) waiting.push(item)
    }
  })
  // What ended while others were read still counts.
  await forEachAtOnce(items.filter(isOpen), (item) => read(item, 0))
  for (const item of items) giveUp(item, tooLate(following))
  following.onChange()
}

/** The same for all runs of a batch, with one request at a time. */
export async function followBatch(items: RunItem[], first: Schemas['Batch'], following: Following): Promise<void> {
  const details = { left: DETAIL_REQUESTS_MAX }
  let batch = first
  for (;;) {
    applyBatch(items, batch)
    await forEachAtOnce(items, (item) => explain(item, following, details))
    following.onChange()
    const pending = items.filter(({ verdict }) => verdict === 'pending')
    if (batch.state === 'done' || pending.length === 0 || !hasTime(following)) break
    await step(following, pending, async () => {
      const read = await following.api.readBatch(first.id, secondsOf(following))
      if (read.id === first.id) batch = read
    })
  }
  const reason = batch.state === 'done' ? 'the batch ended without this run' : tooLate(following)
  for (const item of items) giveUp(item, reason)
  following.onChange()
}

/** One request, and at least a moment. A lasting failure ends all its items. */
async function step({ signal }: Following, items: RunItem[], request: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  try {
    await request()
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    for (const item of items) giveUp(item, error.message)
  }
  const restMs = SHORTEST_WAIT_MS - (performance.now() - startedAt)
  const isWaiting = items.some(({ verdict }) => verdict === 'pending')
  if (restMs > 0 && isWaiting) await sleep(restMs, undefined, { signal })
}

/** Reads why a run of a batch failed, once. */
async function explain(item: RunItem, following: Following, details: { left: number }): Promise<void> {
  const { runId } = item
  if (item.verdict !== 'failed' || item.failures.length > 0 || runId === null) return
  if (!mayReadDetails(following, details)) return
  const run = await following.api.readRun(item.serviceId, runId, 0).catch(withoutDetails)
  if (run === null) return
  applyRun(item, run)
  item.failures = await readFailures(following, item, run.results, details)
}

async function readFailures(
  following: Following,
  item: RunItem,
  results: Schemas['RunResult'][],
  details: { left: number },
): Promise<FailedResult[]> {
  const failed = results.filter(({ status }) => status === 'failure' || status === 'timeout')
  const found: FailedResult[] = []
  for (const result of failed) {
    const read = mayReadDetails(following, details)
      ? await following.api.readResult(item.serviceId, result.id).catch(withoutDetails)
      : null
    found.push(describeFailure(result, read))
  }
  return found
}

/** Counts a request for details; false past the maximum or the deadline. */
function mayReadDetails(following: Following, details: { left: number }): boolean {
  return hasTime(following) && details.left-- > 0
}

/** The verdict does not need the details. */
function withoutDetails(error: unknown): null {
  if (error instanceof CliError) return null
  throw error
}

function hasTime({ deadline }: Following): boolean {
  return performance.now() < deadline
}

function secondsOf({ deadline, waitSeconds }: Following): number {
  return Math.max(0, Math.min(waitSeconds, Math.ceil((deadline - performance.now()) / 1_000)))
}

function tooLate({ timeoutMs }: Following): string {
  return `not done within ${showDuration(timeoutMs)}`
}

async function forEachAtOnce<T>(all: T[], run: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  await atOnce(async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await run(one)
  })
}

async function atOnce(take: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CONCURRENT }, take))
}
