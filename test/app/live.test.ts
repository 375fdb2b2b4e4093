import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organizations } from '#db/schema/organizations.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { buildRequest, testRuntime } from '#test/support/api/api.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { openByLink, scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import { required } from '#test/support/database.ts'
import type { Organization } from '#test/support/factories.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { type ProbedService, requestRunOf } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// Pages that stay open show what a real worker and the API of another process change. The test never reloads them.

let target: HttpTarget
let status = 200
/** Between the browser and the first web process. */
let proxy: DatabaseProxy | null = null
let page: Page
let organization: Pick<Organization, 'id'>
let service: ProbedService

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.writeHead(status).end())
  proxy = await startProxy(web.url)
  page = await browser.open(proxy.url.replace(/\/$/, ''), { losesConnection: true })
  await setUp(page, web)
  organization = (await database.db.select().from(organizations))[0] as { id: string }
  const workspace = await database.create.workspace(organization, { name: 'Shop' })
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

test('what changes through the API of another process appears', async () => {
  await openByLink(page, '/workspaces')
  await page.getByText('Shop').first().waitFor()
  const owner = {
    ...(await database.create.member(organization, { isOwner: false, sections: { workspaces: 'write' } })),
  }
  const { token } = await database.create.key(owner)
  // The API of this process, as the API of a second web process.
  const runtime = testRuntime(database.db, { DATABASE_URL: database.url })
  const request = buildRequest(token, 'POST', '/workspaces', { body: { name: 'Depot' } })
  const response = await createFacade(runtime)(request, { address: '127.0.0.1' })
  expect(response.status).toBe(200)
  await page.getByText('Depot').first().waitFor()
  runtime.waits.close()
  await runtime.live.close()
})

test('a lost connection is said with the age of the data, and what was missed appears when it is back', async () => {
  await openByLink(page, '/incidents')
  await page.getByRole('row').filter({ hasText: 'Checkout' }).waitFor()
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
