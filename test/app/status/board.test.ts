import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { certificates } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { createIdAt } from '#server/results/results/ids.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { openByLink, scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { addHour, createResult, setState } from '#test/support/runs/results.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

const LONG = 'x'.repeat(128)
const ago = (ms: number) => new Date(Date.now() - ms)
const WELL = ['Home page', 'Login', 'Newsletter', 'Search']

let page: Page
let project: ProjectRow

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  // An empty installation opens with the page for the first service.
  expect(new URL((await page.request.get('/')).url()).pathname).toBe('/services/new')
  const { db, create } = database
  const [organization] = await db.select().from(organizations)
  const workspace = await create.workspace(organization as { id: string }, { name: 'Shop' })
  project = await create.project(workspace, { name: 'Storefront' })
  const longest = await create.project(await create.workspace(organization as { id: string }, { name: LONG }), {
    name: LONG,
  })
  for (const name of WELL) await passing(project, name)
  await passing(longest, LONG)
  const down = await create.service(project, { name: 'Checkout', labels: ['critical'], script: '', isActive: true })
  await setState(db, down, {
    lastStatus: 'failure',
    lastRunAt: ago(MINUTE_MS),
    failingSince: ago(12 * MINUTE_MS),
    isAlerting: true,
    lastFailure: { summary: 'GET https://shop.example/cart: status 500, expected 200' },
  })
  await createIncident(db, down, {
    failingSince: ago(12 * MINUTE_MS),
    acknowledgedAt: ago(5 * MINUTE_MS),
    acknowledgedBy: uuidv7(),
    acknowledgedName: 'Ana Lima',
  })
  for (let i = 0; i < 20; i++) {
    await createResult(db, down, { startedAt: ago(i * MINUTE_MS), status: i < 12 ? 'failure' : 'success' })
  }
  const slow = await create.service(project, { name: 'Payments', script: '', isActive: true })
  const lastResultId = createIdAt(ago(MINUTE_MS))
  await setState(db, slow, {
    lastStatus: 'success',
    lastRunAt: ago(MINUTE_MS),
    lastResultId,
    degradation: {
      since: ago(HOUR_MS).toISOString(),
      summary: `GET https://pay.example/${LONG}: totalDelayMs 2300 ms, expected ≤ 2000 ms`,
    },
  })
  const off = await create.service(project, { name: 'Old shop', script: '' })
  await setState(db, off, { lastStatus: 'failure', lastRunAt: ago(DAY_MS), isAlerting: true })
  await db.insert(certificates).values({
    ...{ serviceId: down.id, organizationId: down.organizationId, host: 'shop.example', seenAt: new Date() },
    notAfter: new Date(Date.now() + 5 * DAY_MS - 1_000),
  })
})

async function passing(within: ProjectRow, name: string): Promise<void> {
  const { db, create } = database
  const service = await create.service(within, { name, script: '', isActive: true })
  await setState(db, service, { lastStatus: 'success', lastStatusSince: ago(DAY_MS), lastRunAt: ago(MINUTE_MS) })
  for (let hour = 0; hour < 24; hour += 1) await addHour(db, service, ago(hour * HOUR_MS), [80 + hour, 120 - hour])
}

/** The names of the services on the board, from top to bottom. */
async function names(): Promise<string[]> {
  return page.locator('main table a[href^="/services/"]').allTextContents()
}

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })

describe('the status board', () => {
  test('shows what is wrong first: since when, why, and who acknowledged', async () => {
    await page.goto('/')
    await row('Payments').waitFor()
    const [first, second] = [row('Checkout'), row('Payments')]
    await first.getByText('status 500, expected 200', { exact: true }).waitFor()
    await first.getByText('GET https://shop.example/cart').waitFor()
    await first.getByText(/^\s*for 1[2-9]\smin/).waitFor()
    await first.getByRole('link', { name: 'Acknowledged by Ana Lima' }).waitFor()
    await first.getByRole('img', { name: '12 of the last 20 runs failed' }).waitFor()
    await second.getByText('Degraded').waitFor()
    await page.getByRole('complementary').getByText('shop.example: expires in 5 days').waitFor()
    expect(await names()).toEqual(['Checkout', 'Payments', ...WELL, 'Old shop', LONG])
    await row('Old shop').getByText('Paused').waitFor()
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.getByRole('heading', { name: 'Shop / Storefront' }).waitFor()
    await page.getByRole('link', { name: '1 Failing' }).waitFor()
  })

  test('comes with its data in the first response, as the address filters it', async () => {
    const filtered = await (await page.request.get('/?state=degraded')).text()
    expect(filtered).toContain('Payments')
    expect(filtered).not.toContain('Newsletter')
  })

  test('is filtered by links and by search, which the address keeps', async () => {
    await page.getByRole('link', { name: '1 Degraded' }).click()
    await page.waitForURL('**/?state=degraded')
    await page.getByRole('link', { name: 'Newsletter' }).waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Payments'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'Newsletter' }).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search services' })
    await search.fill('label:critical state:failing colour:red')
    await page.getByText('“colour:” is unknown.').waitFor()
    await page.getByRole('link', { name: 'Newsletter' }).waitFor({ state: 'detached' })
    expect(await names()).toEqual(['Checkout'])
    await search.fill('')
    await page.getByRole('link', { name: 'Newsletter' }).waitFor()
    await page.getByRole('combobox', { name: 'Filter by projects' }).selectOption('Storefront')
    await page.waitForURL(`**/?project=${project.id}`)
    await page.getByRole('link', { name: LONG }).first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Flat list' }).click()
    await page.getByRole('heading', { name: 'Other services' }).waitFor()
  })

  test('breaks with no name, and has the first failing service on the first screen of a phone', async () => {
    await openByLink(page, '/')
    await page.getByRole('link', { name: LONG }).last().waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await scrollsSideways(page)).toBe(false)
    // No number leaves its unit, and no cause is cut.
    const cells = page.locator('main tbody td[data-number]')
    const heights = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return text.getBoundingClientRect().height
      }),
    )
    expect(heights.length).toBeGreaterThan(20)
    expect(heights.filter((height) => height > 24)).toEqual([])
    const causes = page.locator('main tbody td[data-column="name"] *')
    expect(
      await causes.evaluateAll(
        (all) => all.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0).length,
      ),
    ).toBe(0)
    await page.setViewportSize({ width: 390, height: 664 })
    expect(await scrollsSideways(page)).toBe(false)
    const box = await page.getByRole('link', { name: 'Checkout' }).first().boundingBox()
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(664)
    await page.setViewportSize({ width: 1280, height: 720 })
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
  })
})

/** Fills the header of the wall with six states, and returns whether those that are seen end before the clock. */
function countsBesideClock(page: Page) {
  return page.getByRole('list', { name: 'States' }).evaluate((list) => {
    const [state] = list.children
    while (state && list.children.length < 6) list.append(state.cloneNode(true))
    const clock = list.closest('header')?.querySelector('time')?.parentElement
    const start = clock?.getBoundingClientRect().left ?? 0
    const { bottom } = list.getBoundingClientRect()
    const seen = [...list.children].map((one) => one.getBoundingClientRect()).filter(({ top }) => top < bottom)
    return { areApart: seen.every(({ right }) => right <= start), count: seen.length }
  })
}

describe('the wall', () => {
  test('fills the screen with the worst services first, and takes turns when they do not fit', async () => {
    await page.getByRole('link', { name: 'Wall' }).click()
    await page.waitForURL('**/?tv=1')
    const tiles = page.getByRole('list', { name: 'Services' }).getByRole('listitem')
    await tiles.first().getByText('Checkout').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.getByText(/, updated /).waitFor()
    expect(await violationsInBothColorSchemes(page)).toEqual([])
    expect(await page.getByText(/^Screen /).count()).toBe(0)
    await page.setViewportSize({ width: 640, height: 320 })
    await page.getByText('Screen 1 of 2').waitFor()
    expect(await countsBesideClock(page)).toEqual({ areApart: true, count: expect.any(Number) })
    await tiles.first().getByText('status 500, expected 200').waitFor()
    // The next screen comes by itself.
    await page.getByText('Screen 2 of 2').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await tiles.first().getByText('Checkout').waitFor({ state: 'detached' })
    expect(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('link', { name: 'Exit wall view' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })
})

describe('workspaces and projects', () => {
  test('tell the worst, in lists and on their pages', async () => {
    await openByLink(page, '/workspaces')
    await page.getByRole('row', { name: /Shop/ }).getByText('1 of 7 failing').waitFor()
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await page
      .getByRole('row', { name: /Storefront/ })
      .getByText('1 of 7 failing')
      .waitFor()
    await page.getByRole('link', { name: 'Storefront' }).click()
    await page.getByRole('heading', { level: 1, name: 'Storefront' }).waitFor()
    await page
      .getByRole('row', { name: /Old shop/ })
      .getByText('Paused')
      .waitFor()
    const rows = page.getByRole('row').filter({ has: page.getByRole('switch') })
    await rows.nth(6).waitFor()
    await rows.first().getByText('Checkout').waitFor()
    await page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name: 'Access' }).click()
    await page.waitForURL('**/access')
    // On a phone, rows are blocks: nothing is cut, also the longest name. The strip shows the tab that is open.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    const strip = page.getByRole('navigation', { name: 'Project', exact: true })
    const current = strip.getByRole('link', { name: 'Access' })
    const isVisible = () => current.evaluate((tab) => tab.getBoundingClientRect().right <= window.innerWidth)
    await expect.poll(isVisible).toBe(true)
    expect(await strip.evaluate((nav) => nav.scrollWidth > nav.clientWidth)).toBe(true)
    await page.goBack()
    await rows.first().waitFor()
    const table = page.getByRole('table').locator('..')
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    expect(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})
