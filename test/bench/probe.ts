import { createSecureContext } from 'node:tls'
import { makeCertificate } from '#test/support/certificates.ts'
import { alternate, measureHere, type Side } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'
import { bareRequest } from './probes/bare-requests.ts'
import { heySide, inParallel, isInstalled, startBlackbox } from './probes/peers.ts'
import { startProbeTarget } from './probes/probe-target.ts'
import { createWholeRun } from './probes/whole-run.ts'

const CONCURRENCY = 16
/** The CPU time of other programs is read in ticks of 10 ms. */
const RUNS = 12_000
const HANDSHAKES = 400
/** A round of handshakes takes half a second, and its rate scatters by a third. */
const HANDSHAKE_ROUNDS = 15

/**
 * Compares whole runs, up to the finished run that the batch writer takes, with other programs that send probes and with
 * bare requests of Node. Ratios of plain HTTP are of CPU time, because other programs use several threads.
 */
export async function run(report: Report): Promise<void> {
  const certificate = await makeCertificate('valid')
  const target = await startProbeTarget(certificate)
  try {
    const wholeRun = createWholeRun({ ca: [certificate.ca] })
    await compareHttp(report, target.plain, wholeRun)
    // The option is passed to the TLS connection, although its type does not say so.
    const secureContext = createSecureContext({ ca: certificate.ca })
    const options = { host: '127.0.0.1', port: target.secure, secureContext } as const
    await alternate(report, {
      name: 'HTTPS, a run before it is stored, against a bare loop',
      own: here(HANDSHAKES, () => wholeRun(`https://127.0.0.1:${target.secure}/`)),
      peer: here(HANDSHAKES, () => bareRequest('https', options)),
      by: 'rate',
      bound: { atLeast: 0.85 },
      note: 'a full handshake for each request',
      rounds: HANDSHAKE_ROUNDS,
    })
  } finally {
    await target.stop()
  }
}

async function compareHttp(report: Report, port: number, wholeRun: (url: string) => Promise<unknown>): Promise<void> {
  const url = `http://127.0.0.1:${port}/`
  const own = here(RUNS, () => wholeRun(url))
  const compare = (name: string, peer: Side, atMost?: number) =>
    alternate(report, {
      name: `HTTP, a run before it is stored, against ${name}`,
      ...{ own, peer, by: 'cpu', note: 'CPU time of the probing process' },
      ...(atMost === undefined ? {} : { bound: { atMost } }),
    })
  await compare(
    'bare requests',
    here(RUNS, () => bareRequest('http', { host: '127.0.0.1', port })),
  )
  if (await isInstalled('hey')) await compare('hey', heySide(url, RUNS), 2.2)
  if (!(await isInstalled('prometheus-blackbox-exporter'))) return
  const blackbox = await startBlackbox()
  await compare('blackbox_exporter', blackbox.side(url, RUNS), 0.5).finally(blackbox.stop)
}

function here(count: number, work: () => Promise<unknown>): Side {
  return () =>
    measureHere(async () => {
      await inParallel(count, CONCURRENCY, work)
      return count
    })
}
