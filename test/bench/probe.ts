import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { createSecureContext } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { makeCertificate } from '#test/support/certificates.ts'
import { get } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'

/** Sends one request. */
type Probe = () => Promise<unknown>

const ROUNDS = 5
const PROBES_PER_ROUND = 2_000
const HANDSHAKES_PER_ROUND = 400
const CONCURRENCY = 16

/**
 * Compares the requests per second of the guarded client with a bare `http.request` loop with new connections, measured
 * in turn. Only the ratio counts, because both depend on the machine.
 */
export async function run(): Promise<void> {
  const certificate = await makeCertificate('valid')
  const target = new Worker(new URL('./programs/probe-target.ts', import.meta.url), { workerData: certificate })
  const [ports] = (await once(target, 'message')) as [{ plain: number; secure: number }]
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']), ca: [certificate.ca] })
  const secureContext = createSecureContext({ ca: certificate.ca })

  const guarded =
    (url: string): Probe =>
    () =>
      transport(get(url))
  await compare('HTTP', PROBES_PER_ROUND, {
    guarded: guarded(`http://127.0.0.1:${ports.plain}/`),
    bare: () => finish(plainRequest({ host: '127.0.0.1', port: ports.plain, agent: false })),
  })
  // The option is passed to the TLS connection, although its type does not say so.
  const bareOptions = { host: '127.0.0.1', port: ports.secure, agent: false as const, secureContext }
  await compare('HTTPS', HANDSHAKES_PER_ROUND, {
    guarded: guarded(`https://127.0.0.1:${ports.secure}/`),
    bare: () => finish(secureRequest(bareOptions)),
  })
  await target.terminate()
}

async function compare(name: string, count: number, probes: Record<'guarded' | 'bare', Probe>): Promise<void> {
  const ratios: number[] = []
  const costs: number[] = []
  await measure(probes.bare, count / 4)
  await measure(probes.guarded, count / 4)
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measure(probes.bare, count)
    const guarded = await measure(probes.guarded, count)
    ratios.push(guarded.perSecond / bare.perSecond)
    costs.push(guarded.cpuMicros / bare.cpuMicros)
    console.log(
      `${name.padEnd(5)} guarded ${format(guarded)}   bare ${format(bare)}   rate ${ratios.at(-1)!.toFixed(2)} x`,
    )
  }
  console.log(
    `${name.padEnd(5)} median: ${median(ratios).toFixed(2)} x the rate, ${median(costs).toFixed(2)} x the CPU\n`,
  )
}

type Measure = { perSecond: number; cpuMicros: number }

/** Measures the CPU time of this thread; the target runs in another one. */
async function measure(probe: Probe, count: number): Promise<Measure> {
  let left = count
  const startedAt = performance.now()
  const cpuBefore = process.threadCpuUsage()
  const loop = async () => {
    while (left-- > 0) await probe()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop))
  const { user, system } = process.threadCpuUsage(cpuBefore)
  return { perSecond: (count / (performance.now() - startedAt)) * 1_000, cpuMicros: (user + system) / count }
}

function finish(request: ReturnType<typeof plainRequest>): Promise<void> {
  return new Promise((resolve, reject) => {
    request.on('response', (response) => response.resume().on('end', resolve).on('error', reject))
    request.on('error', reject)
    request.end()
  })
}

function format({ perSecond, cpuMicros }: Measure): string {
  return `${perSecond.toFixed(0).padStart(5)}/s ${cpuMicros.toFixed(0).padStart(4)} µs`
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

if (import.meta.main) await run()
