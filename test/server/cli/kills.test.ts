import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import { CLI_URL, runCli } from '#test/support/cli.ts'
import { type Key, type ServiceTree, unique } from '#test/support/factories.ts'
import { type FrontProcess, startFront } from '#test/support/processes/front-process.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { TEST_SECRET_KEYS, type WorkerProcess, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// `soundline run --wait` while the web process and the worker are killed: every verdict is right or missing, and no run is
// doubled. KILLS=20 kills more often.

const KILLS = Number(process.env.KILLS ?? 1)
const api = testApi({ settings: { SECRET_KEYS: TEST_SECRET_KEYS, PROBE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const workers = workerProcesses(api.databaseUrl)
let target: HttpTarget
let tree: ServiceTree
let key: Key
let worker: WorkerProcess
let web: FrontProcess
let port: number
let services: { id: string; name: string; verdict: number }[] = []
/** Called when a probe arrives at the target, before its response. */
let onProbe: (() => Promise<void>) | null = null

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    await onProbe?.()
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end('{}')
  })
  tree = await api.create.serviceTree()
  key = await api.create.key(tree.organization.owner, { access: 'write' })
  services = [await newService('well', 0), await newService('broken', 1)]
  port = await freePort()
  web = await startWeb()
  worker = await startWorker()
})
afterAll(async () => {
  await web.kill()
  await target.close()
})

async function newService(name: string, verdict: number) {
  const script = `get("http://127.0.0.1:${target.port}/${name}").expect(status: 200)`
  const body = { projectId: tree.project.id, name, schedule: '0 0 1 1 *', script }
  const answer = await api.call<{ id: string; isActive: boolean }>(key, 'POST', '/services', { body })
  expect(answer.body).toMatchObject({ isActive: true })
  return { id: answer.body.id, name, verdict }
}

/** Counts others as dead after three seconds. */
const startWorker = () => workers.start({ WORKER_STALE_SECONDS: '3' })

const startWeb = () => startFront({ FRONT_PORT: String(port), DATABASE_URL: api.databaseUrl, DATA_DIR: workers.folder })

async function killWeb(): Promise<void> {
  await web.kill()
  web = await startWeb()
}

async function killWorker(): Promise<void> {
  await worker.kill()
  worker = await startWorker()
}

/** Calls `act` once, and returns its end. */
function onceOnly(act: () => Promise<void>) {
  let done: Promise<void> | null = null
  return { start: () => (done ??= act()), end: () => done ?? Promise.resolve() }
}

/** What is killed when: web with the request for the run or during the wait, the worker during the probe. */
const MOMENTS = ['the request and the probe', 'the probe and the wait', 'the wait', 'the probe'] as const

test(
  'a verdict outlives the kills of web and worker',
  async () => {
    let told = 0
    for (let round = 0; round < KILLS; round++) {
      const moment = MOMENTS[round % MOMENTS.length]
      const service = services[(round + (round >> 2)) % 2] ?? services[0]!
      const note = unique('kill')
      const webDies = onceOnly(killWeb)
      const workerDies = onceOnly(killWorker)
      onProbe = moment?.includes('the probe') ? async () => void workerDies.start() : async () => sleep(300)
      const send = async (request: Request) => {
        const answer = fetch(new Request(request.url.replace(CLI_URL, `http://127.0.0.1:${port}`), request))
        // Meanwhile its failure is nobody's.
        answer.catch(() => undefined)
        const isWait = request.url.includes('/runs/')
        // After the request is on its way; later rounds kill at other points of it.
        if (
          (moment?.startsWith('the request') && request.method === 'POST') ||
          (moment?.endsWith('the wait') && isWait)
        ) {
          await sleep((round * 7) % 40)
          void webDies.start()
        }
        return answer
      }
      const environment = { SOUNDLINE_URL: CLI_URL, SOUNDLINE_KEY: key.token }
      const ended = await runCli(['run', service.id, '--wait', '--timeout', '1h', '--note', note], {
        environment,
        send,
      })
      await Promise.all([webDies.end(), workerDies.end()])
      expect([service.verdict, 2], `${moment}: ${ended.output}${ended.notes}`).toContain(ended.code)
      if (ended.code !== 2) told++
      const { body } = await api.call<{ items: { note: string | null }[] }>(key, 'GET', `/services/${service.id}/runs`)
      const own = body.items.filter((run) => run.note === note).length
      expect(own, `${moment}: runs of one command`).toBeLessThanOrEqual(1)
      if (ended.code !== 2) expect(own).toBe(1)
    }
    // An outage that ends within the timeout costs no verdict.
    expect(told).toBe(KILLS)
  },
  KILLS * 150_000,
)
