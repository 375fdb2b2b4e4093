import { v7 as uuidv7 } from 'uuid'
import type { CallRecord, ProbeResult } from '#server/language/lace/result.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { NO_BODIES } from '#server/runs/probes/body-capture.ts'
import { finishRun } from '#server/runs/probes/finish.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'

export type Service = { id: string; organizationId: string }

const AGENT = { agentId: uuidv7(), agentSlug: 'bench' }

/** Builds a run of a plain script as the worker does: three calls with an assertion each. One in fifty fails. */
export async function finishedRun({ id: serviceId, organizationId }: Service, at: Date): Promise<FinishedRun> {
  const result = probeResult(at, Math.random() < 0.02)
  return finishRun(
    { id: uuidv7(), attempt: 1, organizationId, serviceId, ...AGENT },
    result,
    null,
    NO_BODIES,
    await createRedactor([]),
  )
}

/** Copies a run to another time and another service. */
export function copyRun(run: FinishedRun, { id: serviceId, organizationId }: Service, at: Date): FinishedRun {
  return {
    ...run,
    id: uuidv7(),
    serviceId,
    organizationId,
    result: { ...run.result, id: createIdAt(at), startedAt: at },
  }
}

function probeResult(start: Date, failed: boolean): ProbeResult {
  const at = start.toISOString()
  const calls = [0, 1, 2].map((index): CallRecord => {
    const ms = 20 + Math.floor(Math.exp(Math.random() * 6))
    return {
      index,
      outcome: failed ? 'failure' : 'success',
      startedAt: at,
      endedAt: at,
      request: { url: `https://shop.example/step/${index}`, method: 'get', headers: { 'User-Agent': 'bench' } },
      response: {
        status: failed ? 500 : 200,
        statusText: failed ? 'Internal Server Error' : 'OK',
        headers: { 'content-type': 'application/json', date: start.toUTCString(), server: 'shop' },
        bodyPath: null,
        bodyNotCapturedReason: 'notRequested',
        responseTimeMs: ms,
        dnsMs: 1,
        connectMs: 5,
        tlsMs: 10,
        ttfbMs: ms - 20,
        transferMs: 4,
        sizeBytes: 1_234,
        dns: { resolvedIps: ['192.0.2.1'], resolvedIp: '192.0.2.1' },
        tls: null,
      },
      redirects: [],
      assertions: [
        {
          method: 'expect',
          scope: 'status',
          op: 'eq',
          outcome: failed ? 'failed' : 'passed',
          actual: failed ? 500 : 200,
          expected: 200,
          options: null,
        },
      ],
      config: {},
      warnings: [],
      error: null,
    }
  })
  const outcome = failed ? 'failure' : 'success'
  return { outcome, startedAt: at, endedAt: at, elapsedMs: 321, runVars: {}, calls, actions: {} }
}
