import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organizations } from '#db/schema/organizations.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import { required } from '#test/support/database.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { type ProbedService, requestRunOf } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// Pages that stay open show what a real worker changes. The test never reloads them.

let target: HttpTarget
let status = 200
/** Between the browser and the first web process. */
let proxy: DatabaseProxy | null = null
let page: Page
let service: ProbedService

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.writeHead(status).end())
  proxy = await startProxy(web.url)
  page = await browser.open(proxy.url.replace(/\/$/, ''), { losesConnection: true })
  await setUp(page, web)
  const [organization] = await database.db.select().from(organizations)
  const workspace = await database.create.workspace(organization as { id: string }, { name: 'Shop' })
  const script = `get("http://127.0.0.1:${target.port}/cart").expect(status: 200)`
  const given = { name: 'Checkout', script, isActive: true, version: 2 }
  service = await database.create.service(await database.create.project(workspace), given)
})
afterAll(async () => {
  proxy?.close()
  await target.close()
})

const openIncidents = (count: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByText(`${count} open`).waitFor({ timeout: 120_000 })

test('an incident appears when a worker finds it, and goes when the service recovers', async () => {
  await page.goto('/incidents')
  await page.getByText('No incidents yet').waitFor()
  status = 503
  await requestRunOf(database.db, service)
  await page.getByRole('row').filter({ hasText: 'Checkout' }).getByText('status 503, expected 200').waitFor()
  await openIncidents('1')
  status = 200
  await requestRunOf(database.db, service)
  await page.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor({ state: 'detached' })
})

test('a lost connection is said with the age of the data, and what was missed appears when it is back', async () => {
  const notice = page.getByRole('status').filter({ hasText: 'Connection lost' })
  required(proxy).refuse()
  await notice.getByText(/Connection lost\. Data is \d+\s(s|min) old\./).waitFor()
  expect(await violationsInBothColorSchemes(page, '[role="status"]')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 720 })
  // The data that the page has stays.
  await page.getByRole('row').filter({ hasText: 'Checkout' }).waitFor()
  status = 500
  await requestRunOf(database.db, service)
  required(proxy).restore()
  await notice.waitFor({ state: 'detached', timeout: 120_000 })
  await page.getByRole('row').filter({ hasText: 'Checkout' }).getByText('status 500, expected 200').waitFor()
  await openIncidents('1')
})

test('a page whose streams are blocked shows changes by polling', async () => {
  let blocked = 0
  await page.route(/\/live\.changes/, (route) => {
    blocked++
    return route.abort()
  })
  await page.goto('/incidents')
  await openIncidents('1')
  status = 200
  await requestRunOf(database.db, service)
  await page.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Checkout' }).getByText('Closed').first().waitFor()
  expect(blocked).toBeGreaterThan(1)
  expect(await page.getByRole('status').filter({ hasText: 'Connection lost' }).count()).toBe(0)
})
