import type { Browser, BrowserContext, Page } from 'playwright-core'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import type { GaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { median } from '../frame/alternate.ts'

const GOALS = { listKilobytes: 180, otherKilobytes: 300, shift: 0.02, requests: 1, contentMs: 300, stallMs: 25 }
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

export type Session = { origin: string; cookie: string }

/** Prints what a page costs, with the goals. */
export async function measurePage(
  browser: Browser,
  web: GaugedProcess,
  session: Session,
  page: BenchPage,
): Promise<void> {
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
    hasContent(first, page) ? 'content in the HTML' : 'content later over',
    limited(longestMs, GOALS.stallMs, 'ms stall', 1),
  ]
  if (page.from !== null) {
    const { requests, ms, paths } = await measureNavigation(browser, session, { ...page, from: page.from })
    parts.push(limited(requests, GOALS.requests, 'requests', 0), limited(ms, GOALS.contentMs, 'ms to the content', 0))
    if (requests > GOALS.requests) parts.push(paths.join(' '))
  }
  console.log(`${page.name.padEnd(22)} ${parts.join(', ')}`)
}

/** A placeholder in the HTML stands for data that comes later. */
function hasContent(html: string, { content }: BenchPage): boolean {
  return html.includes(content) && !html.includes('aria-busy="true"')
}

/** Prints what the longest range of a page's charts costs. */
export async function measureRange(browser: Browser, web: GaugedProcess, session: Session, of: BenchPage) {
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
  const parts = [
    limited(median(times), GOALS.contentMs, 'ms to the charts', 0),
    limited(stallMs, GOALS.stallMs, 'ms stall', 1),
  ]
  console.log(`${`${of.name} 90 d`.padEnd(22)} ${parts.join(', ')}`)
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

/** Opens a browser context that is signed in. */
export async function openContext(browser: Browser, { origin, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await context.addCookies([{ name, value, url: origin }])
  return context
}
