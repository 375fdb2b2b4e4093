import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { watchRequests } from './requests.ts'

/** How long a test waits for a page. It is long because the machine may be busy. */
const TIMEOUT_MS = 180_000

type OpenOptions = BrowserContextOptions & {
  /** The test breaks the connection to the server, of which Chromium logs an error for each request. */
  losesConnection?: boolean
}

export type TestBrowser = {
  /** Opens a page with its own cookies. Its paths are relative to `origin`, and it may send requests only there. */
  open: (origin: string, options?: OpenOptions) => Promise<Page>
}

/** The Chromium of this worker of the test run, which its test files share. It ends with the worker. */
let shared: Browser | null = null

/**
 * Opens pages in a headless Chromium, and closes them after the test file. A test fails if a page logged an error or a warning, threw an exception,
 * had a blocked style or script, or sent a request to another origin.
 */
export function testBrowser(): TestBrowser {
  const errors: string[] = []
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    if (!shared?.isConnected()) shared = await launchChromium()
  })

  afterEach(() => {
    const found = errors.splice(0)
    expect(found, 'errors in the browser').toEqual([])
  })

  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
  })

  return {
    async open(origin, { losesConnection = false, ...options } = {}) {
      if (!shared) throw new Error('The browser is started in beforeAll')
      // A request that `page.route` holds may hang where a service worker could answer it.
      const defaults = { baseURL: origin, reducedMotion: 'reduce', serviceWorkers: 'block' } as const
      const context = await shared.newContext({ ...defaults, ...options })
      contexts.push(context)
      const page = await context.newPage()
      page.setDefaultTimeout(TIMEOUT_MS)
      waitForHydration(page)
      watchRequests(page)
      recordErrors(page, origin, (error) => {
        if (!(losesConnection && /net::ERR_/.test(error))) errors.push(`${error} (on ${page.url()})`)
      })
      return page
    },
  }
}

function recordErrors(page: Page, origin: string, report: (error: string) => void): void {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (message.text().startsWith('Service Worker registration blocked by Playwright')) return
    // Chromium logs an error for every 4xx response, and the response of each 5xx is judged below.
    if (/^Failed to load resource: the server responded with a status of [45]\d\d/.test(message.text())) return
    report(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => report(`exception: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      report(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    // A busy machine refuses a query that would wait too long for the database, and the page sends it again.
    const isRefusedQuery = response.status() === 503 && response.url().startsWith(`${origin}/api/trpc/`)
    if (response.status() >= 500 && !isRefusedQuery) report(`${response.status()} from ${response.url()}`)
  })
}

/** Makes `goto` and `reload` wait until React handles events: pages show their content before that, and lose clicks. */
function waitForHydration(page: Page): void {
  const { goto, reload } = page
  const hydrated = () =>
    page.waitForFunction(() => {
      const main = document.querySelector('main')
      return !main || Object.keys(main).some((key) => key.startsWith('__reactProps'))
    })
  page.goto = async (...input) => {
    const response = await goto.apply(page, input)
    if (response && response.status() >= 500) throw new Error(`${response.status()} from ${response.url()}`)
    if (response?.headers()['content-type']?.startsWith('text/html')) await hydrated()
    return response
  }
  page.reload = async (...input) => {
    const response = await reload.apply(page, input)
    await hydrated()
    return response
  }
}
