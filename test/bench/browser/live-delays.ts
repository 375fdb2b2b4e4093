import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { launchChromium } from '#test/support/browser/chromium.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { requestRunOf, resultsOf } from '#test/support/runs/probed.ts'
import { startGaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { signIn } from '#test/support/stalls/setup.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { withDatabase } from '../database.ts'
import { median } from '../frame/alternate.ts'
import type { Report } from '../frame/report.ts'
import { openContext } from './measure.ts'

const ROUNDS = 10
const GOAL_MS = 2_000
/** Between two runs, as on a tight schedule. */
const PAUSE_MS = 3_000

/**
 * Reports the time from when a worker has stored a result until open pages show it: the result on the page of its service,
 * on one web process, and the state and the incident on the status board, on another. Every run changes the state.
 */
export async function measureLiveDelays(report: Report): Promise<void> {
  await buildDashboard(console.log, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-'))
  let status = 503
  const target = await startHttpTarget((_request, response) => response.writeHead(status).end())
  const browser = await launchChromium()
  try {
    await withDatabase(async (db, url) => {
      const keys = { DATA_DIR: folder, SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}` }
      const environment = {
        ...keys,
        ...{ DATABASE_URL: url, HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_ENABLED: 'false' },
        ...{ PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', SCHEDULE_SPREAD_SECONDS: '0' },
      }
      const { id, owner } = await createOrganization(db)
      const project = await createProject(db, await createWorkspace(db, { id }))
      const script = `get("http://127.0.0.1:${target.port}/").expect(status: 200)`
      const service = await createService(db, project, { script, isActive: true, version: 2, schedule: '0 0 1 1 *' })
      const start = (program: string) => startGaugedProcess(`../../../${program}`, environment)
      const processes = [await start('server/commands/web.ts'), await start('server/commands/web.ts')]
      try {
        const cookie = await signIn(db, owner, keys)
        const [own, board] = (await Promise.all(
          [`/services/${service.id}`, '/'].map((path, i) =>
            openPage(browser, { origin: `http://127.0.0.1:${processes[i]?.port}`, cookie }, path),
          ),
        )) as [Page, Page]
        processes.push(await start('worker/main.ts'))
        const delays = { result: [] as number[], state: [] as number[], incident: [] as number[] }
        for (let round = 1; round <= ROUNDS; round++) {
          status = round % 2 === 1 ? 503 : 200
          const when = { state: round % 2 === 1 ? 'visible' : 'detached' } as const
          const shown = [
            own.getByText(round === 1 ? 'Latest run,' : `Latest ${round} runs,`).waitFor(),
            board.getByRole('heading', { name: 'Needs attention' }).waitFor(when),
            board.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor(when),
          ].map((wait) => wait.then(() => performance.now()))
          await requestRunOf(db, service)
          while ((await resultsOf(db, service)).length < round) await sleep(5)
          const storedAt = performance.now()
          const times = await Promise.all(shown)
          for (const [i, name] of (['result', 'state', 'incident'] as const).entries()) {
            delays[name].push(Math.max(0, (times[i] as number) - storedAt))
          }
          await sleep(PAUSE_MS)
        }
        for (const [name, all] of Object.entries(delays)) addDelays(report, name, all)
      } finally {
        for (const process of processes) await process.kill()
      }
    })
  } finally {
    await browser.close()
    await target.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openPage(browser: Browser, session: { origin: string; cookie: string }, path: string): Promise<Page> {
  const page = await (await openContext(browser, session)).newPage()
  const stream = page.waitForRequest((request) => request.url().includes('live.changes'))
  await page.goto(path)
  await stream
  return page
}

function addDelays(report: Report, name: string, delays: number[]): void {
  report.add({
    name: `${name} stored until an open page shows it`,
    value: Math.max(...delays),
    unit: 'ms',
    goal: { atMost: GOAL_MS },
    note: `the highest of ${delays.length}; median ${median(delays).toFixed(0)} ms`,
  })
}
