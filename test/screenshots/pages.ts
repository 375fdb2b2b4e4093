import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Db } from '#db/client.ts'
import { desc, eq } from '#db/drizzle.cjs'
import { incidents } from '#db/schema/alerts.ts'
import { results } from '#db/schema/results.ts'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import type { Installation } from './installation.ts'

type Look = { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark'; isWhole?: true }

const WIDE = { width: 1_440, height: 900 }
export const LOOKS: Record<string, Look> = {
  light: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isWhole: true },
}

/** The pictures of the README, small enough for a repository. */
export const README_FOLDER = 'test/screenshots/readme'
export const README_PAGES = ['home', 'service', 'result', 'script']
export const README_LOOKS: typeof LOOKS = { light: { viewport: { width: 1_280, height: 760 }, colorScheme: 'light' } }
export const README_BYTES_MAX = 150_000

/** The pages by the name of their file, each with its path. */
export async function pagesOf(db: Db, { services, projects }: Installation): Promise<Record<string, string>> {
  const checkout = services.get('Checkout') as string
  const [failed] = await db
    .select({ id: results.id })
    .from(results)
    .where(eq(results.serviceId, checkout))
    .orderBy(desc(results.startedAt))
    .limit(1)
  const [incident] = await db
    .select({ id: incidents.id })
    .from(incidents)
    .where(eq(incidents.serviceId, checkout))
    .orderBy(desc(incidents.openedAt))
    .limit(1)
  return {
    home: '/',
    wall: '/?tv=1',
    project: `/projects/${projects.get('Storefront')}`,
    service: `/services/${checkout}`,
    statistics: `/services/${checkout}/statistics`,
    result: `/services/${checkout}/results/${failed?.id}`,
    compare: `/services/${checkout}/results/${failed?.id}?compare=passing`,
    script: `/services/${checkout}/script`,
    incidents: '/incidents',
    incident: `/incidents/${incident?.id}`,
    'new-service': '/services/new',
    workspaces: '/workspaces',
    members: '/members',
    variables: '/variables',
    agents: '/agents',
    settings: `/services/${checkout}/settings`,
    account: '/account',
  }
}

/** Writes a picture of each page in each look. Throws if a page logged an error. `maxBytes` limits each picture. */
export async function takePictures(
  browser: Browser,
  { origin, cookie }: { origin: string; cookie: string },
  pages: Record<string, string>,
  { looks, folder, maxBytes }: { looks: typeof LOOKS; folder: string; maxBytes: number },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  for (const [look, { isWhole = false, ...options }] of Object.entries(looks)) {
    const context = await browser.newContext({
      baseURL: origin,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...options,
    })
    await context.addCookies([{ name, value, url: origin }])
    for (const [title, address] of Object.entries(pages)) {
      const page = await context.newPage()
      const errors = errorsOf(page)
      await page.goto(address)
      await page.locator('main').waitFor()
      await untilIdle(page)
      const path = join(folder, `${title}-${look}.png`)
      const { length } = await page.screenshot({ path, fullPage: isWhole })
      if (length > maxBytes) throw new Error(`${path} has ${length} bytes, more than ${maxBytes}`)
      if (errors.length > 0) throw new Error(`${address} logged ${errors.join('\n')}`)
      await page.close()
    }
    await context.close()
  }
}

function errorsOf(page: Page): string[] {
  const errors: string[] = []
  watchRequests(page)
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return errors
}
