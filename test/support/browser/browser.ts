import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** How long a test waits for a page. It is long because the machine may be busy. */
const TIMEOUT_MS = 60_000

type OpenOptions = BrowserContextOptions & {
  /** The test breaks the connection to the server, of which Chromium logs an error for each request. */
  losesConnection?: boolean
}

export type TestBrowser = {
  /** Opens a page with its own cookies. Its paths are relative to `origin`, and it may send requests only there. */
  open: (origin: string, options?: OpenOptions) => Promise<Page>
}

/**
 * Starts a headless Chromium for the test file. A test fails if a page logged an error or a warning, threw an exception,
 * had a blocked style or script, or sent a request to another origin.
 */
export function testBrowser(): TestBrowser {
  let folder: string | null = null
  let browser: Browser | null = null
  const errors: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'soundline-browser-'))
    browser = await chromium.launch({
      executablePath: await unpackChromium(),
      headless: true,
      env: { ...process.env, FONTCONFIG_FILE: await describeFonts(folder) } as Record<string, string>,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Host names do not resolve: only the loopback address can be reached.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    })
  })

  afterEach(() => {
    const found = errors.splice(0)
    expect(found, 'errors in the browser').toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  return {
    async open(origin, { losesConnection = false, ...options } = {}) {
      if (!browser) throw new Error('The browser is started in beforeAll')
      const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(TIMEOUT_MS)
      recordRequests(page)
      recordErrors(page, origin, (error) => {
        if (!(losesConnection && /net::ERR_/.test(error))) errors.push(`${error} (on ${page.url()})`)
      })
      return page
    },
  }
}

const running = new WeakMap<Page, Set<Request>>()
/** For this long, a page that is idle sends nothing. */
const IDLE_MS = 500

/** Waits until the page has all that it asked for. Playwright's `networkidle` would wait for the end of live updates. */
export async function untilIdle(page: Page): Promise<void> {
  const requests = running.get(page)
  for (let idleMs = 0; idleMs < IDLE_MS; ) {
    await page.waitForTimeout(50)
    idleMs = requests?.size === 0 ? idleMs + 50 : 0
  }
}

function recordRequests(page: Page): void {
  const requests = new Set<Request>()
  running.set(page, requests)
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

function recordErrors(page: Page, origin: string, report: (error: string) => void): void {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium logs an error for every 4xx response. The page shows what it means.
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
    // Chromium warns of styles that Next preloads and that a slow machine does not use soon enough.
    if (/\.css was preloaded using link preload but not used within a few seconds/.test(message.text())) return
    report(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => report(`exception: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      report(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) report(`${response.status()} from ${response.url()}`)
  })
}

/**
 * Unpacks the browser's program once for the whole run. The package assumes that an existing file is complete, so it
 * unpacks into its own folder, which is renamed at the end. Several test files may do this at once.
 */
async function unpackChromium(): Promise<string> {
  const shared = join(tmpdir(), 'chromium')
  if (!existsSync(shared)) {
    const folder = await mkdtemp(join(tmpdir(), 'chromium-'))
    const { default: packed } = await import('@sparticuz/chromium')
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    try {
      await packed.executablePath()
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    // If another test file was first, its folder is used.
    await rename(folder, shared).catch(() => rm(folder, { recursive: true, force: true }))
  }
  return join(shared, 'chromium')
}

/** Writes a font configuration with the fonts of the package and of the machine, which may have none. */
async function describeFonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const folders = [join(tmpdir(), 'chromium', 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('')
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${folders}${cache}</fontconfig>`)
  return file
}
