import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { organizations } from '#db/schema/organizations.ts'
import { HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { OWNER, openTab, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// The history of a service: charts, filters and neighbours. Version 2 of its script failed from its first run on.

const AGENT = { id: '01a1f8ef-6140-74a9-9487-ba35a8d71167', slug: 'oslo' }
const PASSED = 60
const FAILED = 3
const APART_MS = 5 * MINUTE_MS

let page: Page
let service: { id: string; organizationId: string }

beforeAll(async () => {
  page = await browser.open(web.url, { timezoneId: 'Europe/Berlin' })
  await setUp(page, web)
  const [organization] = await database.db
    .select()
    .from(organizations)
    .where(eq(organizations.name, OWNER.organization))
  const workspace = await database.create.workspace(organization!)
  service = await database.create.service(await database.create.project(workspace), {
    name: 'Checkout',
    isActive: true,
    script: 'get("https://shop.example/").expect(status: 200)',
    version: 2,
  })
  await ensurePartitions(database.db, new Date(Date.now() - 48 * HOUR_MS), 3)
  // All failed runs are in one column of the charts, also of the one that shows three hours per column.
  const column = Math.floor(Date.now() / (3 * HOUR_MS)) * 3 * HOUR_MS
  const end = Date.now() - column > (FAILED + 1) * APART_MS ? Date.now() : column
  const runs = Array.from({ length: PASSED + FAILED }, (_, i) => {
    const isFailed = i >= PASSED
    const startedAt = new Date(end - (PASSED + FAILED - i) * APART_MS)
    const run = runOf({ service, agent: AGENT, outcome: isFailed ? 'failure' : 'success', startedAt })
    return { ...run, result: { ...run.result, scriptVersion: isFailed ? 2 : 1 } }
  })
  await database.db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 100 }))
})

const path = () => `/services/${service.id}`
const rows = () => page.locator('#results tbody tr')

describe('the history of a service', () => {
  test('times are in the zone of the browser from the first response on, until another is chosen', async () => {
    // Every member comes by a page such as the one for sign-in, which says the zone.
    await page.goto('/forgot-password')
    await page.waitForFunction(() => /Berlin/.test(document.cookie))
    const response = await page.goto(path())
    expect(await response?.text()).toContain('By hour, Berlin time.')
    await page.getByText('By hour, Berlin time.').first().waitFor()
    await page.getByRole('button', { name: 'Times are in Berlin time. Change the time zone' }).click()
    const zones = page.getByRole('menuitem')
    await zones.first().waitFor()
    // The organization's zone is UTC, which is one entry.
    expect(await zones.allInnerTexts()).toEqual([
      expect.stringMatching(/^Berlin time\s+Time zone of your browser/),
      expect.stringMatching(/^UTC\s+Time zone of the organization\s+Coordinated universal time/),
    ])
    await zones.last().click()
    await page.getByText('By hour, UTC.').first().waitFor()
    await page.getByRole('button', { name: 'Times are in UTC. Change the time zone' }).waitFor()
  })

  test('the page says since when and with which version it fails', async () => {
    await page.getByText(/Failing for \d+\smin.*, since version 2/).waitFor()
    await page.getByText(`Latest 60 runs, ${FAILED} failed`).waitFor()
  })

  test('a bar is reached by the arrow keys and leads to its result', async () => {
    const bars = page.getByRole('list', { name: 'Latest runs, oldest first' })
    await bars.getByRole('link').last().focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/results\/[0-9a-f-]{36}$/)
    await page.getByText('The run failed').waitFor()
  })

  test('the range, and the runs of a column, stand in the URL, and survive a reload as the time zone does', async () => {
    await page.getByRole('link', { name: 'All results' }).click()
    await page.getByText('7 d', { exact: true }).click()
    await page.waitForURL(/range=7d/)
    await page
      .getByText(/By 3 hours, UTC/)
      .first()
      .waitFor()
    await page
      .getByRole('group', { name: 'Runs over time' })
      .getByRole('link', { name: /3 failed/ })
      .first()
      .click()
    await page.waitForURL(/range=7d&since=/)
    await page.getByRole('button', { name: 'Show all results' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show all results' }).waitFor()
    expect(await page.getByRole('radio', { name: '7 d' }).isChecked()).toBe(true)
    await page
      .getByText(/By 3 hours, UTC/)
      .first()
      .waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await page.waitForURL(/status=failed/)
    await expect.poll(() => rows().count()).toBe(FAILED)
    expect(await rows().getByText('Failed', { exact: true }).count()).toBe(FAILED)
  })

  test('j and k lead through the filtered runs', async () => {
    await rows().first().getByRole('link').first().click()
    await page.waitForURL(/\/results\/.*status=failed/)
    const first = page.url()
    await page.getByRole('link', { name: 'Previous run' }).waitFor()
    expect(await page.getByRole('button', { name: 'Next run' }).isDisabled()).toBe(true)
    await page.keyboard.press('j')
    await page.waitForURL((url) => url.href !== first)
    await page.getByRole('link', { name: 'Next run' }).waitFor()
    await page.keyboard.press('k')
    await page.waitForURL(first)
    await page.getByRole('link', { name: 'Previous run' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Previous run').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a cell of the heatmap leads to its failed runs', async () => {
    await openTab(page, 'Service', 'Statistics')
    await page.getByText('Endpoints', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Failed runs by weekday and hour' }).getByRole('link').first().click()
    await page.waitForURL(/status=failed&cell=/)
    await expect.poll(() => rows().count()).toBeGreaterThan(0)
    expect(await rows().getByText('Passed', { exact: true }).count()).toBe(0)
  })
})
