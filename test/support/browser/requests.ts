import type { Page, Request } from 'playwright-core'

const running = new WeakMap<Page, Set<Request>>()
/** For this long, a page that is idle sends nothing. */
const IDLE_MS = 500

/** Waits until all requests of the page are done. Playwright's `networkidle` would wait for the end of live updates. */
export async function untilIdle(page: Page): Promise<void> {
  const requests = running.get(page)
  for (let idleMs = 0; idleMs < IDLE_MS; ) {
    await page.waitForTimeout(50)
    idleMs = requests?.size === 0 ? idleMs + 50 : 0
  }
}

/** Records the requests of a page from now on, for `untilIdle`. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  running.set(page, requests)
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}
