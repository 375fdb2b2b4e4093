import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { alternate, type Measure, median } from '../frame/alternate.ts'
import { cpuSecondsOf } from '../frame/cpu-time.ts'
import type { Report } from '../frame/report.ts'
import { fillUptimeKuma, findUptimeKuma, startUptimeKuma } from '../programs/uptime-kuma.ts'
import { countScriptBytes, openContext, type Session } from './measure.ts'

/** The page that shows all services, and a text of the last of them. */
type Board = { session: Session; pid: number; path: string; content: string; requests: number[]; kilobytes: number[] }

const SETTLE_MS = 3_000

/**
 * Compares the status board with Uptime Kuma's dashboard, with as many monitors and checks, in turn, each in an empty
 * browser: the time until the last service is shown, the requests, and the compressed JavaScript.
 */
export async function compareStatusBoards(
  browser: Browser,
  own: { session: Session; pid: number },
  amounts: { services: number; results: number },
  report: Report,
): Promise<void> {
  const folder = findUptimeKuma()
  if (folder === null) return
  const dataFolder = await mkdtemp(join(tmpdir(), 'soundline-bench-kuma-'))
  const target = await startHttpTarget((_request, response) => response.end('ok'))
  try {
    await (await startUptimeKuma(folder, dataFolder)).stop()
    fillUptimeKuma(dataFolder, { monitors: amounts.services, checks: amounts.results }, target.url)
    const kuma = await startUptimeKuma(folder, dataFolder)
    try {
      // It starts its monitors one after another, with up to a second between two.
      await new Promise((resolve) => setTimeout(resolve, amounts.services * 1_000 + SETTLE_MS))
      const content = `Service ${String(amounts.services - 1).padStart(3, '0')}`
      const boards = {
        own: { ...own, path: '/', content, requests: [], kilobytes: [] } as Board,
        peer: {
          ...kuma,
          session: { origin: kuma.origin, cookie: '' },
          path: '/dashboard',
          content,
          requests: [],
          kilobytes: [],
        } as Board,
      }
      const note = `${amounts.services} services; Uptime Kuma sends its data over a WebSocket, which is no request`
      await alternate(report, {
        name: 'time to the content of the status board against Uptime Kuma',
        own: () => openBoard(browser, boards.own),
        peer: () => openBoard(browser, boards.peer),
        by: 'time',
        note: `${amounts.services} services; CPU time is that of the server`,
      })
      for (const [what, key] of [
        ['requests', 'requests'],
        ['compressed JavaScript', 'kilobytes'],
      ] as const) {
        const [ours, theirs] = [median(boards.own[key]), median(boards.peer[key])]
        report.add({
          name: `${what} of the status board against Uptime Kuma`,
          value: ours / theirs,
          unit: 'x',
          better: 'lower',
          note: `${ours.toFixed(0)} against ${theirs.toFixed(0)}${key === 'kilobytes' ? ' kB' : ''}; ${note}`,
        })
      }
    } finally {
      await kuma.stop()
    }
  } finally {
    await target.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

async function openBoard(browser: Browser, board: Board): Promise<Measure> {
  const context = await openContext(browser, board.session)
  try {
    const page = await context.newPage()
    watchRequests(page)
    let requests = 0
    page.on('request', () => requests++)
    const bytes = await countScriptBytes(page)
    const cpuBefore = await cpuSecondsOf(board.pid)
    const startedAt = performance.now()
    await page.goto(board.path, { waitUntil: 'commit' })
    await page.getByText(board.content).first().waitFor()
    const seconds = (performance.now() - startedAt) / 1_000
    await untilIdle(page)
    board.requests.push(requests)
    board.kilobytes.push(bytes() / 1_000)
    return { count: 1, seconds, cpuSeconds: (await cpuSecondsOf(board.pid)) - cpuBefore }
  } finally {
    await context.close()
  }
}
