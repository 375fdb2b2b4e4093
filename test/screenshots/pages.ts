import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import type { Browser, Page } from 'playwright-core'
import type { Db } from '#db/client.ts'
import { incidents } from '#db/schema/alerts.ts'
import { results } from '#db/schema/results.ts'
import { untilIdle, watchRequests } from '#test/support/browser/requests.ts'
import type { Installation } from './installation.ts'

const WIDE = { width: 1_440, height: 900 }
const LOOKS = {
  light: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const

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
    script: `/services/${checkout}/script`,
    incident: `/incidents/${incident?.id}`,
    'new-service': '/services/new',
  }
}

/** Writes a picture of each page in each look. Throws if a page logged an error. */
export async function takePictures(
  browser: Browser,
  origin: string,
  cookie: string,
  pages: Record<string, string>,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const [name, value] = cookie.split(/=(.*)/s) as [string, string]
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({
      baseURL: origin,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...options,
    })
    await context.addCookies([{ name, value, url: origin }])
    for (const [title, path] of Object.entries(pages)) {
      const page = await context.newPage()
      const errors = errorsOf(page)
      await page.goto(path)
      await page.locator('main').waitFor()
      await untilIdle(page)
      await page.screenshot({ path: join(folder, `${title}-${look}.png`), fullPage: look === 'phone' })
      if (errors.length > 0) throw new Error(`${path} logged ${errors.join('\n')}`)
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
