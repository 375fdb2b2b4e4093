import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, OWNER, openByLink, saveScript, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// The command palette, shortcuts, page titles and the audit log, on one service that fails.

let page: Page
let servicePath: string

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  const places = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay by card' })
  servicePath = places.service
  await saveScript(page, servicePath.slice('/services/'.length), 'get("https://example.com/").expect(status: 200)')
  const [service] = await database.db
    .update(services)
    .set({ isActive: true, labels: ['critical'] })
    .where(eq(services.name, 'Pay by card'))
    .returning()
  const { id: serviceId, organizationId } = service as typeof services.$inferSelect
  await database.db
    .insert(serviceStates)
    .values({ serviceId, organizationId, lastStatus: 'failure', lastRunAt: new Date() })
    .onConflictDoUpdate({
      target: [serviceStates.organizationId, serviceStates.serviceId],
      set: { lastStatus: 'failure', lastRunAt: new Date() },
    })
})

const palette = () => page.getByRole('dialog', { name: 'Search and commands' })
const field = () => palette().getByRole('combobox', { name: 'Search' })
const chosen = () => palette().locator('[role="option"][aria-selected="true"]')

/** Runs a command from the palette. */
async function choose(text: string, label: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await field().fill(text)
  await expect.poll(() => chosen().textContent(), { timeout: 60_000 }).toContain(label)
  await page.keyboard.press('Enter')
  await palette().waitFor({ state: 'detached' })
}

describe('page titles', () => {
  test('have the state and name of the service, rendered on the server', async () => {
    const html = await (await page.request.get(servicePath)).text()
    expect(html).toContain('<title>Failing · Pay by card – Soundline</title>')
  })

  test('follow changes without a reload', async () => {
    await page.goto(`${servicePath}/settings`)
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('Failing · Pay by card – Soundline')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pay by bank')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('Failing · Pay by bank – Soundline')
  })
})

describe('the command palette', () => {
  test('finds services by words and terms, and opens the chosen one', async () => {
    await openByLink(page, '/members')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await palette()
      .getByRole('option', { name: /Pay by bank/ })
      .waitFor()
    expect(await violationsInBothColorSchemes(page, 'dialog[open]')).toEqual([])
    await field().fill('state:failing label:critical')
    await palette()
      .getByRole('option', { name: /^Pay by bank Failing · Shop \/ Checkout/ })
      .waitFor()
    await field().fill('pay ban')
    await expect.poll(() => chosen().textContent(), { timeout: 60_000 }).toContain('Pay by bank')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Pay by bank' }).waitFor()
    await palette().waitFor({ state: 'detached' })
  })

  test('offers what the page can do, moves by arrows, and says what it does not understand', async () => {
    await page.getByRole('button', { name: 'Run now' }).waitFor()
    await page.keyboard.press('Control+k')
    await field().fill('run pay')
    await expect.poll(() => chosen().textContent(), { timeout: 60_000 }).toContain('Run Pay by bank now')
    await field().fill('color:red')
    await palette().getByText('“color:” is unknown').waitFor()
    await field().fill('service: s')
    const first = palette().getByRole('option', { name: /^Service: Script/ })
    await first.waitFor()
    while (!(await chosen().textContent())?.startsWith('Service: Script')) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/script$/)
  })

  test('does what it can do everywhere', async () => {
    await choose('help', 'Keyboard shortcuts')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Run Pay by bank now').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await choose('create', 'New service')
    await page.waitForURL('**/services/new')
    await page.goBack()
    await page.waitForURL(/\/script$/)
  })

  test('closes on Escape and gives the focus back', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await field().waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search')
  })
})

describe('shortcuts', () => {
  test('are listed by ? and open pages, but not while a member types', async () => {
    await openByLink(page, '/members')
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('New service').waitFor()
    expect(await violationsInBothColorSchemes(page, 'dialog[open]')).toEqual([])
    await list.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.matches('main input[type="search"]'), null)
    await page.keyboard.type('g m')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('g m')
    expect(new URL(page.url()).pathname).toBe('/')
  })
})

describe('the audit log', () => {
  test('says in words who changed what, and shows each field before and after', async () => {
    await openByLink(page, '/audit')
    const renamed = page.getByRole('row', { name: `${OWNER.name} changed the name of Pay by bank` })
    await renamed.getByText('What changed').click()
    await renamed.getByText('Pay by card → Pay by bank').waitFor()
    await page.getByRole('row', { name: `${OWNER.name} saved version 2 of the script of Pay by card` }).waitFor()
    await page.getByRole('row', { name: `${OWNER.name} created the workspace Shop` }).waitFor()
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
  })

  test('is filtered in the address', async () => {
    await page.getByRole('combobox', { name: 'Action' }).selectOption('workspace.create')
    await page.waitForURL(/action=workspace\.create/)
    await expect.poll(() => page.getByRole('row').count(), { timeout: 60_000 }).toBe(2)
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.waitForURL(/to=2001-01-01/)
    await page.getByText('No changes found.').waitFor()
    await page.reload()
    await page.getByText('No changes found.').waitFor()
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.getByRole('row', { name: /created the workspace Shop/ }).waitFor()
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: OWNER.name })
    await page.waitForURL(/person=/)
    await page.getByRole('row', { name: /created the workspace Shop/ }).waitFor()
  })

  test('is left by the palette, which also switches the colors', async () => {
    await choose('theme', 'Switch between light and dark')
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    await choose('log out', 'Sign out')
    await page.waitForURL('**/sign-in')
  })
})
