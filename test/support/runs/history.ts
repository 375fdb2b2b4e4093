import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import type { StoredStep } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { type BodyTarget, type CapturedBodies, captureBodies, NO_BODIES } from '#server/runs/probes/body-capture.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { endpointKey } from '#server/runs/record/rollups/keys.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'

// Random histories of runs, stored with the worker's own function.

type Call = { endpoint: number; status: number | null; ms: number; size: number; assertions: boolean[] }
export type PlannedRun = {
  at: Date
  agent: string
  status: 'success' | 'failure' | 'timeout' | 'skipped'
  /** Whether the service kept response bodies at that time. */
  keepsBodies: boolean
  calls: Call[]
}

const ENDPOINTS = [
  { method: 'GET', template: 'https://shop.example.com/' },
  { method: 'POST', template: 'https://shop.example.com/orders/$$id' },
  { method: 'GET', template: '$s.base/health' },
]

const call: fc.Arbitrary<Call> = fc.record({
  endpoint: fc.nat(ENDPOINTS.length - 1),
  status: fc.option(fc.constantFrom(200, 201, 404, 500), { freq: 8 }),
  ms: fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 60_000 })),
  size: fc.nat(100_000),
  assertions: fc.array(fc.boolean(), { maxLength: 2 }),
})

/**
 * Runs before `now`: many close to it, some at the very borders of hours and days, some as far back as `reach` goes, two
 * days or more, and some in bursts.
 */
export function histories(now: Date, reach = 100 * DAY_MS): fc.Arbitrary<PlannedRun[]> {
  const borders = (length: number) => fc.nat(Math.min(80, Math.floor(reach / length) - 2))
  const ago = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 * DAY_MS }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: reach }) },
    { weight: 2, arbitrary: borders(HOUR_MS).map((n) => (now.getTime() % HOUR_MS) + n * HOUR_MS) },
    { weight: 2, arbitrary: borders(DAY_MS).map((n) => (now.getTime() % DAY_MS) + n * DAY_MS + 1) },
  )
  const run = fc.record({
    at: ago.map((ms) => new Date(now.getTime() - ms)),
    agent: fc.constantFrom('amsterdam', 'local', 'oslo'),
    status: fc.constantFrom('success', 'success', 'success', 'failure', 'timeout', 'skipped'),
    keepsBodies: fc.boolean(),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  }) as fc.Arbitrary<PlannedRun>
  const burst = fc.tuple(run, fc.integer({ min: 129, max: 200 })).map(([first, count]) =>
    Array.from({ length: count }, (_, i): PlannedRun => {
      const hour = Math.floor(first.at.getTime() / HOUR_MS) * HOUR_MS
      const at = new Date(Math.min(hour + i * 17_000, now.getTime()))
      return {
        ...first,
        status: 'success',
        keepsBodies: false,
        at,
        calls: first.calls.map((c) => ({ ...c, ms: (c.ms + i * 37) % 60_000 })),
      }
    }),
  )
  return fc
    .tuple(fc.array(run, { maxLength: 120 }), fc.array(burst, { maxLength: 2 }))
    .map(([runs, bursts]) => [...runs, ...bursts.flat()])
}

/**
 * Stores the runs of a service in parts, as they would have come in. Days are folded now and then: up to the one before
 * the last run, and once a day too far, so that what follows comes late. Bodies go to `bodies`, where that is given.
 */
export async function storeHistory(
  db: Db,
  service: { id: string; organizationId: string },
  planned: PlannedRun[],
  bodies?: BodyTarget,
): Promise<void> {
  const inOrder = planned.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (let i = 0; i < inOrder.length; i += 50) {
    const part = await Promise.all(
      inOrder.slice(i, i + 50).map(async (run) => finished(service, run, await storeBodies(service, run, bodies))),
    )
    await db.transaction((tx) => storeRuns(tx, part, { variablesMax: 100 }))
    const last = part.at(-1)?.result.startedAt.getTime() as number
    if (i % 150 === 50) await foldDays(db, new Date(last))
    if (i % 150 === 100) await foldDays(db, new Date(last + DAY_MS))
  }
}

/** Stores the bodies of the calls: `call 1`, `call 2` and so on. */
async function storeBodies(
  { id: serviceId, organizationId }: { id: string; organizationId: string },
  run: PlannedRun,
  target: BodyTarget | undefined,
): Promise<CapturedBodies> {
  if (!target || !run.keepsBodies || run.status === 'skipped') return NO_BODIES
  const place = { organizationId, serviceId, startedAt: run.at }
  const { sink, settle } = captureBodies(target, place, await createRedactor([]), (error) => {
    throw error
  })
  for (const [callIndex, { status }] of run.calls.entries()) {
    if (status !== null)
      await sink({ callIndex, body: Buffer.from(`call ${callIndex + 1}`), contentType: 'text/plain' })
  }
  return settle()
}

function finished(
  service: { id: string; organizationId: string },
  run: PlannedRun,
  bodies: CapturedBodies,
): FinishedRun {
  const calls = run.status === 'skipped' ? [] : run.calls
  const steps = calls.map((c, i) => step(c, i + 1, bodies.stored.get(i)))
  return {
    id: uuidv7(),
    attempt: 1,
    organizationId: service.organizationId,
    serviceId: service.id,
    agentId: uuidv7(),
    agentSlug: run.agent,
    result: {
      id: createIdAt(run.at),
      startedAt: run.at,
      status: run.status,
      runDurationMs: 1,
      totalResponseMs: steps.reduce((sum, s) => sum + (s.responseTimeMs ?? 0), 0),
      callCount: steps.length,
      failedCalls: steps.filter((s) => s.outcome !== 'success').length,
      raw: null,
      steps,
      ...(run.status === 'skipped' ? {} : { scriptVersion: versionAt(run) }),
    },
    isTimed: steps.some((s) => s.responseTimeMs !== null),
    assertions: calls.flatMap((c) =>
      c.assertions.map((failed, i) => {
        const { method, template } = endpoint(c)
        const definition = {
          method,
          template,
          kind: 'expect',
          scope: i === 0 ? 'status' : 'body',
          op: 'eq',
          expected: 200,
        }
        return { key: `${method} ${template} ${i}`, definition, failed }
      }),
    ),
    failedAssertions: [],
    failedAssertionCount: 0,
    writeBacks: [],
  }
}

/** A new version every ten days, which one agent reads an hour late: its runs lie between those of the next version. */
function versionAt({ at, agent }: PlannedRun): number {
  const readAt = at.getTime() - (agent === 'oslo' ? HOUR_MS : 0)
  return Math.floor(readAt / (10 * DAY_MS)) - 2_000
}

function step(c: Call, stepNum: number, body: ReturnType<CapturedBodies['stored']['get']>): StoredStep {
  const { method, template } = endpoint(c)
  const timed = c.status === null ? null : c.ms
  const part = (share: number) => (timed === null ? null : Math.floor(timed * share))
  return {
    id: uuidv7(),
    stepNum,
    requestUrl: template,
    method,
    template,
    statusCode: c.status,
    responseTimeMs: timed,
    dnsMs: part(0.1),
    connectMs: part(0.1),
    tlsMs: part(0.2),
    ttfbMs: part(0.4),
    transferMs: part(0.2),
    responseSizeBytes: c.status === null ? null : c.size,
    outcome: c.status === 200 || c.status === 201 ? 'success' : 'failure',
    error: c.status === null ? 'refused' : null,
    assertionResults: c.assertions.map((failed, i) => ({
      method: 'expect',
      scope: i === 0 ? 'status' : 'body',
      outcome: failed ? 'failed' : 'passed',
    })),
    headers: {},
    body: typeof body === 'object' ? body : null,
    bodyNotStoredReason: typeof body === 'object' ? null : 'not_requested',
  }
}

function endpoint(c: Call) {
  return ENDPOINTS[c.endpoint] as { method: string; template: string }
}

/** The key of an endpoint in the roll-ups. */
export const keyOf = endpointKey
