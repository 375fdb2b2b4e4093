import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import { listeningPort } from '#test/support/targets/canary.ts'
import { median } from './frame/alternate.ts'

const ROUNDS = 3

/** `from` has a link to the page, or is null if none has; `content` is a text of the page's data. */
export type BenchPage = { name: string; path: string; from: string | null; content: string; isHeavy?: boolean }

export type Session = { origin: string; cookie: string }

/** Compressed JavaScript, layout shift, and the time of a navigation to the content; null without a link. */
export type PageCosts = { page: BenchPage; kilobytes: number; shift: number; contentMs: number | null }

/** Measures what a page costs in an empty browser, and a navigation to it from another page. */
export async function measurePage(browser: Browser, session: Session, page: BenchPage): Promise<PageCosts> {
  const loaded = await measureLoad(browser, session, page)
  const contentMs = page.from === null ? null : await measureNavigation(browser, session, { ...page, from: page.from })
  return { page, ...loaded, contentMs }
}

/** Returns the milliseconds of a navigation between two pages of bare HTML: what the browser takes by itself. */
export async function measureBareNavigation(browser: Browser): Promise<number> {
  const server = createServer((request, response) => {
    const body = request.url === '/to' ? '<main>Content</main>' : '<a href="/to">to</a>'
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Bare</title>${body}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const session = { origin: `http://127.0.0.1:${listeningPort(server)}`, cookie: 'bare=1' }
  try {
    return await measureNavigation(browser, session, { name: 'bare', path: '/to', from: '/', content: 'Content' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
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
async function countScriptBytes(page: Page): Promise<() => number> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  // By script. What is counted is the code, without the headers.
  const headerBytes = new Map<string, number>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headerBytes.set(requestId, response.encodedDataLength)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength - (headerBytes.get(requestId) ?? encodedDataLength)
  })
  return () => bytes
}

async function measureNavigation(browser: Browser, session: Session, to: BenchPage & { from: string }) {
  const context = await openContext(browser, session)
  const page = await context.newPage()
  watchRequests(page)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(to.from)
    await untilIdle(page)
    const link = page.locator(`a[href="${to.path}"]`).first()
    await link.waitFor()
    // Pointing at a link may load the page early.
    await link.hover()
    await untilIdle(page)
    const startedAt = performance.now()
    await link.click()
    await page.waitForURL((url) => url.pathname === to.path)
    await page.locator('main').getByText(to.content).first().waitFor()
    times.push(performance.now() - startedAt)
  }
  await context.close()
  return median(times)
}

async function openContext(browser: Browser, { origin, cookie }: Session): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  await context.addCookies([{ name, value, url: origin }])
  return context
}
