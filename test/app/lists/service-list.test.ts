import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import type { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { accessibilityViolations } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { PASSWORD, setPassword } from '#test/support/browser/dashboard.ts'
import { openByLink, operate, scrollsSideways, setUp, startSession } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { addHour, setState } from '#test/support/runs/results.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// One walk through the list of the board: search, order, columns, views, groups, selection and bulk changes.

const ago = (ms: number) => new Date(Date.now() - ms)
const PASSING = { Home: 90, Login: 300, Newsletter: 40, Search: 150 }

let page: Page
const ids = new Map<string, typeof services.$inferSelect>()

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  const { db, create } = database
  const [organization] = await db.select().from(organizations)
  const workspace = await create.workspace(organization as { id: string }, { name: 'Shop' })
  const project = await create.project(workspace, { name: 'Storefront' })
  await create.project(workspace, { name: 'Billing' })
  for (const [name, ms] of Object.entries(PASSING)) {
    const service = await create.service(project, { name, script: '', isActive: true })
    ids.set(name, service)
    await setState(db, service, { lastStatus: 'success', lastStatusSince: ago(DAY_MS), lastRunAt: ago(MINUTE_MS) })
    await addHour(db, service, ago(MINUTE_MS), [ms])
  }
  for (const [name, minutes] of [
    ['Cart', 12],
    ['Orders', 11],
    ['Refunds', 10],
  ] as const) {
    const service = await create.service(project, { name, script: '', isActive: true })
    ids.set(name, service)
    await setState(db, service, {
      ...{ lastStatus: 'failure', lastRunAt: ago(MINUTE_MS), isAlerting: true, failingSince: ago(minutes * MINUTE_MS) },
      lastFailure: { summary: `GET https://pay.example/${name}: status 500, expected 200` },
    })
    await createIncident(db, service, { failingSince: ago(minutes * MINUTE_MS) })
  }
})

const db = () => database.db
const idOf = (name: string) => (ids.get(name) as { id: string }).id

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const search = () => page.getByRole('searchbox', { name: 'Search services' })
const names = () => page.locator('main table a[href^="/services/"]').allTextContents()
const header = (name: string) => page.getByRole('columnheader', { name })
const param = (name: string) => new URL(page.url()).searchParams.get(name)

describe('the list', () => {
  test('filters while a member types, says how many match, and keeps the focus', async () => {
    const scripts = Promise.withResolvers<void>()
    const holdScript = async (route: Route) => {
      await scripts.promise
      await route.continue()
    }
    await page.route('**/_next/static/**/*.js', holdScript)
    const opened = page.goto('/')
    await search().pressSequentially('ne')
    scripts.resolve()
    await opened
    await page.waitForURL('**/?q=ne')
    await page.unroute('**/_next/static/**/*.js', holdScript)
    const entries = await page.evaluate(() => history.length)
    await search().pressSequentially('ws')
    await page.getByText('1 service matches in names, URLs, hosts and labels.').waitFor()
    await expect.poll(names).toEqual(['Newsletter'])
    await page.waitForURL('**/?q=news')
    expect(await search().evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => history.length)).toBe(entries)
    await search().fill('')
    await row('Login').waitFor()
    await expect.poll(() => param('q')).toBeNull()
  })

  test('leaves a link that is pressed while a search waits for the last letter', async () => {
    await page.route('**/members?*', async (route) => {
      await page.waitForURL('**/?q=news')
      await route.continue()
    })
    await search().fill('news')
    await openByLink(page, '/members')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.unroute('**/members?*')
    await openByLink(page, '/')
    await row('Login').waitFor()
  })

  test('has failures of one cause as one row that opens', async () => {
    expect(await names()).toEqual(['Home', 'Login', 'Newsletter', 'Search'])
    const cause = row('3 services fail for one cause: pay.example')
    await cause.getByText('status 500, expected 200').waitFor()
    await cause.getByText('Refunds, Orders, Cart').waitFor()
    await cause.getByRole('button').click()
    await row('Cart').getByText('Not acknowledged').waitFor()
    expect((await names()).slice(0, 3).sort()).toEqual(['Cart', 'Orders', 'Refunds'])
  })

  test('closes groups, which the address remembers', async () => {
    const heading = page.getByRole('button', { name: 'Shop / Storefront' })
    expect(await heading.getAttribute('aria-expanded')).toBe('true')
    await heading.click()
    await row('Login').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Shop / Storefront' }).waitFor()
    await page.reload()
    await heading.waitFor()
    expect(await heading.getAttribute('aria-expanded')).toBe('false')
    await heading.click()
    await row('Login').waitFor()
  })

  test('keeps its head in sight when it is too wide for the window, and covers no row with it', async () => {
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.goto('/?columns=state,runs,uptime24h,p95,trend,lastRun,target,agents,schedule,on')
    const box = page.getByRole('region', { name: 'Services' })
    await box.waitFor()
    const edges = () =>
      box.evaluate((element) => {
        const head = element.querySelector('th')?.getBoundingClientRect()
        const row = element.querySelector('tbody tr')?.getBoundingClientRect()
        return { top: element.getBoundingClientRect().top, head: head?.top, foot: head?.bottom, row: row?.top }
      })
    const before = await edges()
    expect(before.row).toBeGreaterThanOrEqual((before.foot ?? 0) - 1)
    await box.evaluate((element) => element.scrollTo(0, 200))
    const after = await edges()
    expect(after.row).toBeLessThan(after.top)
    expect(after.head).toBeCloseTo(after.top, 0)
    await page.setViewportSize({ width: 1280, height: 720 })
    await openByLink(page, '/')
    await page.waitForURL(({ search }) => search === '')
  })

  test('sorts by a click, with columns that the member chooses, and saves all of it by a name', async () => {
    await header('p95').getByRole('button', { name: 'p95' }).click()
    await expect.poll(() => header('p95').first().getAttribute('aria-sort')).toBe('descending')
    await expect.poll(async () => (await names()).slice(0, 4)).toEqual(['Login', 'Search', 'Home', 'Newsletter'])
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Schedule' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Latest runs' }).click()
    await page.keyboard.press('Escape')
    await header('Schedule').waitFor()
    await header('Latest runs').waitFor({ state: 'detached' })
    await search().fill('e')
    await page.getByText(/services match/).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Slow ones')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Views, Slow ones is open' }).waitFor()

    await openByLink(page, '/')
    await row('3 services fail').waitFor()
    await expect.poll(() => search().inputValue()).toBe('')
    expect(await header('Schedule').count()).toBe(0)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Slow ones', exact: true }).click()
    await header('Schedule').waitFor()
    await expect.poll(() => search().inputValue()).toBe('e')
    expect(await header('p95').first().getAttribute('aria-sort')).toBe('descending')
    const menu = page.getByRole('button', { name: 'Views, Slow ones is open' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Rename Slow ones' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('By p95')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Views, By p95 is open' }).click()
    await page.getByRole('menuitem', { name: 'Delete By p95' }).click()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Failing' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'By p95' }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

describe('a selection', () => {
  test('freezes the order, and only cells change', async () => {
    await page.goto('/?view=flat')
    for (const name of ['Newsletter', 'Search']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected services' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByText('Order is frozen').waitFor()
    const before = await names()
    await db()
      .update(serviceStates)
      .set({
        lastStatus: 'failure',
        failingSince: ago(MINUTE_MS),
        lastFailure: { summary: 'status 503, expected 200' },
      })
      .where(eq(serviceStates.serviceId, idOf('Search')))
    // What somebody else writes makes open pages ask for their data.
    await operate(page, 'workspaces.create', { name: 'Another' })
    await row('Search').getByText('Failing').waitFor()
    expect(await names()).toEqual(before)
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await expect.poll(names).not.toEqual(before)
  })

  test('is changed together: with a summary before, a result after, and Undo', async () => {
    for (const name of ['Newsletter', 'Login']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected services' })
    await bar.getByRole('button', { name: 'Labels' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Labels' }).fill('critical')
    await page.keyboard.press('Enter')
    const summary = dialog.getByRole('region', { name: 'Summary' })
    await summary.getByText('Changes 2 services').waitFor()
    await summary.getByText('no label → critical: Login, Newsletter').waitFor()
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog.getByRole('button', { name: 'Change labels' }).click()
    await dialog.getByText('2 changed, 0 unchanged.').waitFor()
    await row('Login').getByText('critical').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('Undone: 2 services.').waitFor()
    await row('Login').getByText('critical').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await bar.waitFor({ state: 'detached' })
  })

  test('opens its dialogs with the focus in the first field', async () => {
    await page.getByRole('checkbox', { name: 'Select Login' }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected services' })
    await bar.getByRole('button', { name: 'Change schedule' }).click()
    const repeat = page.getByRole('dialog').getByRole('combobox', { name: 'Repeat' })
    await expect.poll(() => repeat.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await bar.getByRole('button', { name: 'Clear selection' }).click()
  })

  test('acknowledges what fails, and says what is left out', async () => {
    await page.getByRole('checkbox', { name: 'Select the 3 services of pay.example' }).check()
    await page.getByRole('checkbox', { name: 'Select Login' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Acknowledge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Changes 3 services, leaves out 1').waitFor()
    await dialog.getByText('Left out, has no open incident: Login').waitFor()
    await dialog.getByRole('button', { name: 'Acknowledge 3 incidents' }).click()
    await dialog.getByText('3 acknowledged, 0 unchanged.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
  })
})

test('the tab of the browser shows the failures, on every page', async () => {
  await expect.poll(() => page.title()).toBe('(3) Status – Soundline')
  const icon = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href)
  expect(await icon()).toContain('failing')
  await openByLink(page, '/workspaces')
  await expect.poll(() => page.title()).toBe('(3) Workspaces – Soundline')
  expect(await icon()).toContain('failing')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New service' }).click()
  await page.waitForURL('**/services/new')
})

test('who may change nothing sees no boxes', async () => {
  const { db, create } = database
  const [organization] = await db.select().from(organizations)
  const { projectId } = ids.get('Cart') as typeof services.$inferSelect
  const member = await create.member(organization as { id: string }, { grants: [{ projectId, level: 1 }] })
  await setPassword(db, member.userId)
  const own = await browser.open(web.url)
  await startSession(own, { email: member.email, password: PASSWORD })
  await own.goto('/')
  await own.getByRole('row', { name: /Login/ }).waitFor()
  expect(await own.getByRole('checkbox').count()).toBe(0)
  expect(await own.getByRole('main').getByRole('link', { name: 'New service' }).count()).toBe(0)
  await own.close()
})

test('on a phone, rows are blocks, and the first failing service is on the first screen', async () => {
  await openByLink(page, '/')
  await page.setViewportSize({ width: 390, height: 664 })
  const cause = row('3 services fail')
  await cause.waitFor()
  expect(await scrollsSideways(page)).toBe(false)
  const box = await cause.boundingBox()
  expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(664)
  // What is well takes two lines: its name with the bars, and its state with the numbers.
  expect((await row('Login').boundingBox())?.height).toBeLessThan(70)
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name')
  await expect.poll(async () => (await names())[0]).toBe('Cart')
  expect(await accessibilityViolations(page, 'main')).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
})
