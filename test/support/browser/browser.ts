import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** How long a test waits for what a page should show, on a machine that has other things to do. */
const TIMEOUT_MS = 60_000

export type TestBrowser = {
  /** A page with cookies of its own. `origin` is what its paths are relative to, and all it may talk to. */
  open: (origin: string, options?: BrowserContextOptions) => Promise<Page>
}

/**
 * A headless Chromium for the test file. After each test, everything a page complained of fails it: an error or warning
 * on the console, an exception, a blocked style or script, a request to anywhere but its origin.
 */
export function testBrowser(): TestBrowser {
  let folder: string | null = null
  let browser: Browser | null = null
  const complaints: string[] = []

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
        // Names lead nowhere: only addresses of this machine can be dialled.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    })
  })

  afterEach(() => {
    const found = complaints.splice(0)
    expect(found, 'complaints of the browser').toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  return {
    async open(origin, options = {}) {
      if (!browser) throw new Error('The browser is there from beforeAll on')
      const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(TIMEOUT_MS)
      recordErrors(page, origin, (complaint) => complaints.push(`${complaint} (on ${page.url()})`))
      return page
    },
  }
}

function recordErrors(page: Page, origin: string, complain: (complaint: string) => void): void {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium reports every refusal of the API as an error of its own; the page shows what it means.
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
    // Of styles that Next fetched ahead for a page behind a link. It comes with time, so only on a slow machine.
    if (/\.css was preloaded using link preload but not used within a few seconds/.test(message.text())) return
    complain(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complain(`exception: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      complain(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complain(`${response.status()} from ${response.url()}`)
  })
}

/**
 * The browser's program, unpacked once for the whole run. The package takes what lies in the temporary folder for whole,
 * so it gets a folder to itself, which is renamed when it is complete. Another test file may do the same meanwhile.
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
    // Whoever comes second keeps what the first has put there.
    await rename(folder, shared).catch(() => rm(folder, { recursive: true, force: true }))
  }
  return join(shared, 'chromium')
}

/** The package's own fonts beside the machine's, which may have none. */
async function describeFonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const places = [join(tmpdir(), 'chromium', 'fonts'), '/usr/share/fonts']
    .map((place) => `<dir>${place}</dir>`)
    .join('')
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${places}${cache}</fontconfig>`)
  return file
}
