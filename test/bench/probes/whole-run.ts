import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { parseScript } from '#server/runs/probes/script-cache.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { NO_VARIABLES } from '#server/scripts/variable-scopes.ts'
import { createTransport } from '#worker/http/client.ts'
import { shareTransport } from '#worker/http/shared-transport.ts'
import { executeRun } from '#worker/probe/execute.ts'

const RUN_TIMEOUT_MS = 60_000
const LARGE_BODIES = 8

/** A script with three assertions. */
export function scriptFor(url: string): string {
  return `get("${url}").expect(status: 200, totalDelayMs: 30000, headers: { "content-type": "application/json" })`
}

/**
 * Returns a function that performs a run of a URL as a worker does, from the script to the finished run that the batch
 * writer takes. Only what needs the database is left out: reading the service, and storing.
 */
export function createWholeRun({ ca }: { ca: string[] }): (url: string) => Promise<FinishedRun> {
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']), ca })
  const transportOf = shareTransport(transport, LARGE_BODIES)
  const service = { organizationId: uuidv7(), agentId: uuidv7() }
  const serviceIds = new Map<string, string>()
  return async (url) => {
    const source = scriptFor(url)
    const serviceId = serviceIds.get(url) ?? uuidv7()
    serviceIds.set(url, serviceId)
    const work = { organizationId: service.organizationId }
    const shared = transportOf(work, performance.now() + RUN_TIMEOUT_MS)
    try {
      const finished = await executeRun(
        { id: createIdAt(new Date()), attempt: 1, ...service, serviceId, agentSlug: 'bench' },
        {
          db: noDatabase,
          bodies: { id: '', store: noBodies },
          transport: shared.transport,
          runTimeoutMs: RUN_TIMEOUT_MS,
          load: async () => ({
            source,
            version: 1,
            ast: parseScript(serviceId, 1, source),
            saveBodies: false,
            sendTraceparent: false,
            variables: NO_VARIABLES,
            prev: null,
            refusal: null,
          }),
        },
        new AbortController().signal,
      )
      if (finished?.result.status !== 'success')
        throw new Error(`a run failed: ${JSON.stringify(finished?.result.raw)}`)
      return finished
    } finally {
      shared.release()
    }
  }
}

const unused = (): never => {
  throw new Error('the benchmark does not use this')
}
const noDatabase = new Proxy({}, { get: unused }) as Db
const noBodies = {
  put: unused,
  read: unused,
  protect: unused,
  removeBefore: unused,
  removeService: unused,
  readPermits: 1,
}
