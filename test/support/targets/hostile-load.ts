import { setTimeout } from 'node:timers/promises'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createTransport } from '#worker/http/client.ts'
import { get, outcomeOf } from './requests.ts'

/**
 * The output of this program, which runs in its own process. It requests each URL of its first argument (a JSON array)
 * as many times as its second argument says, those of its third argument a third of that, and prints the growth of memory
 * as JSON. Needs `--expose-gc`.
 */
export type LoadReport = {
  runs: number
  responses: number
  failures: Record<string, number>
  residentGrowthBytes: number
  heldGrowthBytes: number
}

const CONCURRENCY = 4
const WARM_UP_ROUNDS = 5
/** Less than this counts as nothing. */
const FREED_BYTES = 256 * 1024
/** Costly targets are requested in every third round. */
const COSTLY_ROUNDS = 3

async function main(urls: string[], rounds: number, costly: string[]): Promise<LoadReport> {
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
  const report: LoadReport = { runs: 0, responses: 0, failures: {}, residentGrowthBytes: 0, heldGrowthBytes: 0 }
  const call = async (url: string) => {
    const outcome = await outcomeOf(transport(get(url, { timeoutMs: 400, rejectInvalidCerts: false })))
    report.runs += 1
    if (!(outcome instanceof Error)) report.responses += 1
    else report.failures[outcome.failure] = (report.failures[outcome.failure] ?? 0) + 1
  }
  const callAll = async (round: number) => {
    const waiting = (round % COSTLY_ROUNDS === 0 ? [...costly, ...urls] : urls).values()
    const one = async () => {
      for (const url of waiting) await call(url)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, one))
  }

  // The warm-up loads code and fills pools, so that only later growth is measured.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await callAll(round)
  const before = await measure()
  report.runs = 0
  for (let round = 0; round < rounds; round += 1) await callAll(round)
  const after = await measure()
  report.residentGrowthBytes = after.resident - before.resident
  report.heldGrowthBytes = after.heap - before.heap
  return report
}

async function measure(): Promise<{ resident: number; heap: number }> {
  // Until nothing more is freed: finalizers free buffers later, and decoding that timed out ends later.
  let heap = Number.POSITIVE_INFINITY
  for (let unchanged = 0; unchanged < 10; unchanged += 1) {
    globalThis.gc?.()
    await setTimeout(50)
    const { heapUsed, external } = process.memoryUsage()
    if (heapUsed + external < heap - FREED_BYTES) unchanged = 0
    heap = Math.min(heap, heapUsed + external)
  }
  return { resident: process.memoryUsage.rss(), heap }
}

const [urls = '[]', rounds = '1', costly = '[]'] = process.argv.slice(2)
console.log(JSON.stringify(await main(JSON.parse(urls), Number(rounds), JSON.parse(costly))))
