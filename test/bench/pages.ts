import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Db } from '#db/client.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { launchChromium } from '#test/support/browser/chromium.ts'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult } from '#test/support/runs/results.ts'
import { probeOf } from '#test/support/runs/scripts.ts'
import { type GaugedProcess, startGaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { signIn } from '#test/support/stalls/setup.ts'
import { median, withDatabase } from './database.ts'
import { fill } from './filling.ts'
import type { BenchOptions } from './main.ts'

const DAYS = 90
const SIZES = { usual: { services: 50, results: 20_000 }, large: { services: 500, results: 500_000 } }
const GOALS = { listKilobytes: 180, otherKilobytes: 300, shift: 0.02, requests: 1, contentMs: 300, stallMs: 25 }
const ROUNDS = 5

/** `from` has a link to the page, or is null if none has; `content` is a text of the page's data. */
type BenchPage = { name: string; path: string; from: string | null; content: string; isHeavy?: boolean }

/**
 * Measures each page in a real browser against a real web process: its JavaScript, what moves while it loads, whether its
 * content is in the first response, and what navigation to it costs. `--case NAME` chooses pages.
 */
export async function run({ large, cases }: BenchOptions): Promise<void> {
  await buildDashboard(console.log, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-'))
  const keys = { DATA_DIR: folder, SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}` }
  try {
    await withDatabase(async (db, url) => {
      const { owner, pages } = await createPages(db, large ? SIZES.large : SIZES.usual)
      const environment = { ...keys, DATABASE_URL: url, HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_ENABLED: 'false' }
      const web = await startGaugedProcess('../../../server/commands/web.ts', environment)
      const browser = await launchChromium()
      try {
        const origin = `http://127.0.0.1:${web.port}`
        const cookie = await signIn(db, owner, keys)
        for (const page of pages) {
          if (cases.length > 0 && !cases.includes(page.name)) continue
          await measurePage(browser, web, { origin, cookie }, page)
        }
      } finally {
        await browser.close()
        await web.kill()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function createPages(db: Db, size: { services: number; results: number }) {
  const { id, owner } = await createOrganization(db)
  const workspace = await createWorkspace(db, { id }, { name: 'Shop' })
  const project = await createProject(db, workspace, { name: 'Storefront' })
  const script = probeOf('https://shop.example/')
  const services = await Promise.all(
    Array.from({ length: size.services }, (_, i) =>
      createService(db, project, { name: `Service ${String(i).padStart(3, '0')}`, script, isActive: true, version: 2 }),
    ),
  )
  await fill(db, services, size.results, DAYS)
  const service = services[0] as (typeof services)[number]
  const result = await createResult(db, service)
  const incident = await createIncident(db, service)
  const at = `/services/${service.id}`
  const pages: BenchPage[] = [
    { name: 'home', path: '/', from: '/workspaces', content: 'Service 000' },
    { name: 'workspaces', path: '/workspaces', from: '/', content: 'Shop' },
    { name: 'workspace', path: `/workspaces/${workspace.id}`, from: '/workspaces', content: 'Storefront' },
    { name: 'project', path: `/projects/${project.id}`, from: `/workspaces/${workspace.id}`, content: 'Service 000' },
    { name: 'service', path: at, from: `/projects/${project.id}`, content: 'Service 000', isHeavy: true },
    { name: 'statistics', path: `${at}/statistics`, from: at, content: 'shop.example', isHeavy: true },
    { name: 'script', path: `${at}/script`, from: at, content: 'shop.example', isHeavy: true },
    { name: 'result', path: `${at}/results/${result.id}`, from: at, content: 'local', isHeavy: true },
    { name: 'incidents', path: '/incidents', from: '/', content: 'Service 000' },
    { name: 'incident', path: `/incidents/${incident.id}`, from: '/incidents', content: 'Service 000' },
    { name: 'audit', path: '/audit', from: '/', content: 'Audit log' },
    { name: 'members', path: '/members', from: '/', content: owner.email },
    { name: 'docs', path: '/docs', from: null, content: 'API reference', isHeavy: true },
    { name: 'guide', path: '/docs/guide', from: null, content: 'Guide', isHeavy: true },
  ]
  return { owner, pages }
}

type Session = { origin: string; cookie: string }

async function measurePage(browser: Browser, web: GaugedProcess, session: Session, page: BenchPage): Promise<void> {
  const url = `${session.origin}${page.path}`
  const first = await (await fetch(url, { headers: { cookie: session.cookie } })).text()
  // The first request loads the page's code.
  await web.reset()
  await (await fetch(url, { headers: { cookie: session.cookie } })).text()
  const { longestMs } = await web.read()
  const { kilobytes, shift } = await measureLoad(browser, session, page)
  const parts = [
    limited(kilobytes, page.isHeavy ? GOALS.otherKilobytes : GOALS.listKilobytes, 'kB', 0),
    limited(shift, GOALS.shift, 'shift', 3),
    first.includes(page.content) ? 'content in the HTML' : 'content later over',
    limited(longestMs, GOALS.stallMs, 'ms stall', 1),
  ]
  if (page.from !== null) {
    const { requests, ms } = await measureNavigation(browser, session, { ...page, from: page.from })
    parts.push(limited(requests, GOALS.requests, 'requests', 0), limited(ms, GOALS.contentMs, 'ms to the content', 0))
  }
  console.log(`${page.name.padEnd(11)} ${parts.join(', ')}`)
}

function limited(value: number, goal: number, unit: string, digits: number): string {
  return `${value.toFixed(digits)} ${unit} (goal ${goal})${value > goal ? ' over' : ''}`
}

async function measureLoad(browser: Browser, session: Session, { path }: BenchPage) {
  const context = await openContext(browser, session)
  const page = await context.newPage()
  watchRequests(page)
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(path)
  await untilIdle(page)
  const shift = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0))
  await context.close()
  return { kilobytes: bytes / 1_000, shift }
}

async function measureNavigation(browser: Browser, session: Session, to: BenchPage & { from: string }) {
  const context = await openContext(browser, session)
  const page = await context.newPage()
  watchRequests(page)
  const counts: number[] = []
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(to.from)
    await untilIdle(page)
    const link = page.locator(`a[href="${to.path}"]`).first()
    await link.waitFor()
    // Pointing at a link may load the page early.
    await link.hover()
    await untilIdle(page)
    const requests = countRequests(page)
    times.push(await timeOf(page, to, () => link.click()))
    await untilIdle(page)
    counts.push(requests())
  }
  await context.close()
  return { requests: median(counts), ms: median(times) }
}

async function timeOf(page: Page, { path, content }: BenchPage, act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await act()
  await page.waitForURL((url) => url.pathname === path)
  await page.locator('main').getByText(content).first().waitFor()
  return performance.now() - startedAt
}

/** Counts the requests for data and pages; scripts and styles come from the cache on later rounds. */
function countRequests(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') count++
  })
  return () => count
}

async function openContext(browser: Browser, { origin, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await context.addCookies([{ name, value, url: origin }])
  return context
}
