import type { Browser, BrowserContext, Page } from 'playwright-core'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import type { GaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { median } from '../frame/alternate.ts'
import { type Report, rounded } from '../frame/report.ts'

const GOALS = {
  'JavaScript of lists': 180,
  'JavaScript of other pages': 300,
  'layout shift': 0.02,
  'longest stall of the web process': 25,
  'requests of a navigation': 1,
  'navigation to the content': 300,
  'change of charts to 90 days': 300,
}
const UNITS: Record<Metric, string> = {
  'JavaScript of lists': 'kB',
  'JavaScript of other pages': 'kB',
  'layout shift': 'CLS',
  'longest stall of the web process': 'ms',
  'requests of a navigation': 'requests',
  'navigation to the content': 'ms',
  'change of charts to 90 days': 'ms',
}
const ROUNDS = 5

/**
 * `from` has a link to the page, or is null if none has; `content` is a text of the page's data. A page with `hasRange` has
 * charts whose range can be changed.
 */
export type BenchPage = {
  name: string
  path: string
  from: string | null
  content: string
  isHeavy?: boolean
  hasRange?: boolean
}

type Metric = keyof typeof GOALS

/** What a page costs. `isLater` says that its content is not in the first HTML. */
export type PageCosts = { page: string; isLater: boolean; values: Partial<Record<Metric, number>> }

export type Session = { origin: string; cookie: string }

/** Measures what a page costs, and prints it with the goals. */
export async function measurePage(
  browser: Browser,
  web: GaugedProcess,
  session: Session,
  page: BenchPage,
): Promise<PageCosts> {
  const url = `${session.origin}${page.path}`
  const first = await (await fetch(url, { headers: { cookie: session.cookie } })).text()
  // The first request loads the page's code.
  await web.reset()
  await (await fetch(url, { headers: { cookie: session.cookie } })).text()
  const { longestMs } = await web.read()
  const { kilobytes, shift } = await measureLoad(browser, session, page)
  const values: PageCosts['values'] = {
    [page.isHeavy ? 'JavaScript of other pages' : 'JavaScript of lists']: kilobytes,
    'layout shift': shift,
    'longest stall of the web process': longestMs,
  }
  if (page.from !== null) {
    const { requests, ms, paths } = await measureNavigation(browser, session, { ...page, from: page.from })
    values['requests of a navigation'] = requests
    values['navigation to the content'] = ms
    if (requests > GOALS['requests of a navigation']) console.log(`${page.name}: ${paths.join(' ')}`)
  }
  const costs = { page: page.name, isLater: !hasContent(first, page), values }
  print(costs)
  return costs
}

/** A placeholder in the HTML stands for data that comes later. */
function hasContent(html: string, { content }: BenchPage): boolean {
  return html.includes(content) && !html.includes('aria-busy="true"')
}

/** Measures what the longest range of a page's charts costs, and prints it with the goals. */
export async function measureRange(
  browser: Browser,
  web: GaugedProcess,
  session: Session,
  of: BenchPage,
): Promise<PageCosts> {
  const context = await openContext(browser, session)
  const page = await context.newPage()
  watchRequests(page)
  const times: number[] = []
  let stallMs = 0
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(of.path)
    await page.getByText('By hour', { exact: false }).first().waitFor()
    await untilIdle(page)
    await web.reset()
    const startedAt = performance.now()
    await page.getByText('90 d', { exact: true }).click()
    await page.getByText('By day', { exact: false }).first().waitFor()
    times.push(performance.now() - startedAt)
    await untilIdle(page)
    stallMs = Math.max(stallMs, (await web.read()).longestMs)
  }
  await context.close()
  const values = { 'change of charts to 90 days': median(times), 'longest stall of the web process': stallMs }
  const costs = { page: `${of.name} 90 d`, isLater: false, values }
  print(costs)
  return costs
}

function print({ page, isLater, values }: PageCosts): void {
  const parts = entriesOf(values).map(([metric, value]) => {
    const over = value > GOALS[metric] ? ' OVER' : ''
    return `${metric} ${rounded(value)} ${UNITS[metric]} (goal ${GOALS[metric]})${over}`
  })
  console.log(`${page.padEnd(22)} ${parts.join(', ')}${isLater ? ', content comes LATER' : ''}`)
}

/** Reports for each metric the page that costs most. */
export function addHighest(report: Report, all: PageCosts[]): void {
  for (const [metric, goal] of entriesOf(GOALS)) {
    const [highest] = all
      .flatMap(({ page, values }) => (values[metric] === undefined ? [] : [{ page, value: values[metric] }]))
      .toSorted((a, b) => b.value - a.value)
    if (!highest) continue
    const note = `the highest of all pages: ${highest.page}`
    report.add({ name: metric, value: highest.value, unit: UNITS[metric], goal: { atMost: goal }, note })
  }
  const later = all.filter(({ isLater }) => isLater).map(({ page }) => page)
  const note = later.length > 0 ? { note: later.join(', ') } : {}
  report.add({
    name: 'pages without content in the first HTML',
    value: later.length,
    unit: 'pages',
    goal: { atMost: 0 },
    ...note,
  })
}

function entriesOf(values: PageCosts['values']): [Metric, number][] {
  return Object.entries(values) as [Metric, number][]
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
  const bytes = await countScriptBytes(page)
  await page.goto(path)
  await untilIdle(page)
  const shift = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0))
  await context.close()
  return { kilobytes: bytes() / 1_000, shift }
}

/** Counts the compressed bytes of the scripts that the page loads from now on. */
export async function countScriptBytes(page: Page): Promise<() => number> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  // By script. What is counted is the code, without the headers.
  const headerBytes = new Map<string, number>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headerBytes.set(requestId, response.encodedDataLength)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const bodyBytes = encodedDataLength - (headerBytes.get(requestId) ?? encodedDataLength)
    bytes += bodyBytes
  })
  return () => bytes
}

async function measureNavigation(browser: Browser, session: Session, to: BenchPage & { from: string }) {
  const context = await openContext(browser, session)
  const page = await context.newPage()
  watchRequests(page)
  const counts: number[] = []
  let paths: string[] = []
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(to.from)
    await untilIdle(page)
    const link = page.locator(`a[href="${to.path}"]`).first()
    await link.waitFor()
    // Pointing at a link may load the page early.
    await link.hover()
    await untilIdle(page)
    const requests = recordRequests(page)
    times.push(await timeOf(page, to, () => link.click()))
    await untilIdle(page)
    paths = requests()
    counts.push(paths.length)
  }
  await context.close()
  return { requests: median(counts), ms: median(times), paths }
}

async function timeOf(page: Page, { path, content }: BenchPage, act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await act()
  await page.waitForURL((url) => url.pathname === path)
  await page.locator('main').getByText(content).first().waitFor()
  return performance.now() - startedAt
}

/** Records the requests for data and pages; scripts and styles come from the cache on later rounds. */
function recordRequests(page: Page): () => string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') paths.push(new URL(request.url()).pathname)
  })
  return () => paths
}

/** Opens a browser context that is signed in, unless the session has no cookie. */
export async function openContext(browser: Browser, { origin, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' })
  if (cookie === '') return context
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await context.addCookies([{ name, value, url: origin }])
  return context
}
