import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { incidentPostMortems, incidents } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { PASSWORD, setPassword } from '#test/support/browser/dashboard.ts'
import {
  createPlaces,
  createServiceIn,
  operate,
  rarelyDue,
  saveScript,
  setUp,
  startSession,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { requestRunOf } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// An incident from the first failing run to the recovery, with a real worker and a target whose status the test chooses.

let target: HttpTarget
let status = 200
let page: Page
/** A service without runs. */
let other: { id: string; organizationId: string }

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"the database is full"}')
  })
  page = await browser.open(web.url)
  await setUp(page, web)
})
afterAll(() => target.close())

/** Runs the service as a member does, without a page. */
async function run(): Promise<void> {
  const [service] = await database.db.select().from(services).where(eq(services.name, 'Public API'))
  await requestRunOf(database.db, service as typeof services.$inferSelect)
}

const openList = () =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Incidents/ })
    .click()

test('a failed service shows its incident, which is acknowledged there', async () => {
  const { service } = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Public API' })
  await rarelyDue(database.db)
  const script = `get("http://127.0.0.1:${target.port}/cart").expect(status: 200)`
  await saveScript(page, service.slice('/services/'.length), script)
  await run()
  await expect.poll(() => database.db.$count(results, eq(results.status, 'success'))).toBeGreaterThan(0)
  await page.goto(service)
  const state = page.getByRole('region', { name: 'State' })
  await state.getByText('Passing').waitFor()
  expect(await page.getByRole('link', { name: 'See the incident' }).count()).toBe(0)
  status = 503
  await run()
  await state.getByText('Not acknowledged').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor()
  await state.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await state.getByText('Acknowledged by Ada Lovelace').waitFor()
  await state.getByRole('link', { name: 'See the incident' }).click()
  await page.waitForURL(/\/incidents\/[0-9a-f-]{36}$/)
})

test('its page explains the failure', async () => {
  await page.getByRole('heading', { level: 1, name: 'Public API' }).waitFor()
  const cause = page.getByRole('alert').filter({ hasText: 'The run failed' })
  await cause.getByText(`/cart: status 503, expected 200`).waitFor()
  await cause.getByText('the database is full').waitFor()
  const changed = page.getByRole('region', { name: 'What changed since the last passing run' })
  await changed.getByRole('row', { name: /^Status 200 503/ }).waitFor()
  await changed.getByText(/^The same: .*body/).waitFor()
  const agents = page.getByRole('region', { name: 'Agents' })
  await agents.getByRole('cell', { name: 'local' }).waitFor()
  await agents.getByRole('cell', { name: '1 in a row' }).waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByText('The service failed').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Runs' }).getByRole('row').count()).toBe(2)
})

test('it says who acknowledged it, and notes are added', async () => {
  await page.getByRole('button', { name: 'Unacknowledge' }).waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Ada Lovelace acknowledged the incident').waitFor()
  await page.getByRole('button', { name: 'Add note' }).click()
  await timeline.getByText('Required').waitFor()
  await page.getByRole('textbox', { name: 'Note' }).fill('The disk is full.\nWe add another.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await timeline.getByText('Note by Ada Lovelace').waitFor()
  await timeline.getByRole('list').getByText('We add another.').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('')
})

test('it is assigned, and gets a severity and a post-mortem that cannot run HTML', async () => {
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption({ label: 'Ada Lovelace (you)' })
  await timeline.getByText('Ada Lovelace took over the incident').waitFor()
  await page.getByRole('combobox', { name: 'Severity' }).selectOption('High')
  await timeline.getByText('Ada Lovelace set the severity: high').waitFor()
  await page.getByRole('main').getByText('high', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Write post-mortem' }).click()
  const text = [
    '## Cause',
    '',
    'The **disk** was full. [Runbook](https://wiki.example/disk) [Trap](javascript:alert(1))',
    '',
    '<img src="x" onerror="document.title = \'owned\'"><b>plain</b>',
    '',
    '![chart](https://charts.example/a.png)',
  ].join('\n')
  await page.getByRole('textbox', { name: 'Text in Markdown' }).fill(text)
  await page.getByText('Preview', { exact: true }).click()
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Cause' }).waitFor()
  await page.getByRole('button', { name: 'Save post-mortem' }).click()
  const section = page.getByRole('region', { name: 'Post-mortem' })
  await section.getByRole('button', { name: 'Edit post-mortem' }).waitFor()
  await section.getByRole('heading', { name: 'Cause' }).waitFor()
  await section.getByText('<b>plain</b>').waitFor()
  expect(
    await section.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://wiki.example/disk', 'https://charts.example/a.png'])
  expect(await section.locator('img, b').count()).toBe(0)
  expect(await section.locator('strong').textContent()).toBe('disk')
  expect(await page.title()).not.toContain('owned')
  expect(await database.db.select().from(incidentPostMortems)).toMatchObject([{ text }])

  await section.getByRole('button', { name: 'Edit post-mortem' }).click()
  const id = page.url().split('/').at(-1) as string
  await operate(page, 'incidents.update', { id, postMortem: '## Cause\n\nSaved elsewhere.' })
  await section.getByText('The post-mortem was changed meanwhile').waitFor()
  await section.getByRole('button', { name: 'Cancel' }).click()
  await section.getByText('Saved elsewhere.').waitFor()
})

test('its acknowledgement is taken back, and given from the list with the selected incidents', async () => {
  await page.getByRole('button', { name: 'Unacknowledge' }).click()
  await page.getByRole('region', { name: 'Timeline' }).getByText('Ada Lovelace took back the acknowledgement').waitFor()
  await openList()
  const row = page.getByRole('row').filter({ hasText: 'Public API' })
  await row.getByText('high', { exact: true }).waitFor()
  // Filters and search are in the URL, and take effect while the member types.
  await page.getByRole('combobox', { name: 'Acknowledgement' }).selectOption('Acknowledged')
  await page.getByText('No incident matches').waitFor()
  await page.getByRole('combobox', { name: 'Acknowledgement' }).selectOption('Acknowledged or not')
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('Assigned to me')
  const search = page.getByRole('searchbox', { name: 'Search incidents' })
  await search.pressSequentially('nope')
  await page.getByText('No incident matches').waitFor()
  await page.waitForURL(/\/incidents\?assignee=me&q=nope$/)
  await search.fill('503 public')
  await row.waitFor()

  await row.getByRole('checkbox', { name: 'Select Public API' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected incidents' })
  await bar.getByText('1 selected').waitFor()
  await bar.getByRole('button', { name: 'Acknowledge…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Acknowledge 1 incident' })
  await dialog.getByText('Public API: status 503, expected 200').waitFor()
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await dialog.getByText('1 of 1 incidents acknowledged.').waitFor()
  expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByText('The acknowledgements were taken back.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await bar.waitFor({ state: 'detached' })
  const [incident] = await database.db.select().from(incidents)
  await operate(page, 'incidents.acknowledge', { id: incident?.id })
  await row.getByRole('checkbox').waitFor({ state: 'detached' })
})

test('the list shows the whole cause first, in two lines, filtered by state', async () => {
  const [service] = await database.db.select().from(services)
  if (!service) throw new Error('the service is stored')
  const created = await createServiceIn(page, service.projectId, 'Order history')
  other = { id: created.id, organizationId: service.organizationId }
  const address = `https://shop.example/${'api/v2/customers/orders/'.repeat(3)}`.slice(0, 80)
  const cause = `POST ${address}: status 503, expected 201 (1 more failed)`
  await createIncident(database.db, other, { summary: cause, closedAt: new Date() })
  await page.setViewportSize({ width: 1440, height: 900 })
  await openList()
  await page.waitForURL(({ search }) => search === '')
  // The filters take one line.
  const fields = page.getByRole('search').locator('input[type="search"], select, button')
  const middles = await fields.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2)),
  )
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8)
  const row = page.getByRole('row').filter({ hasText: 'Public API' })
  await row.getByText('status 503, expected 200').waitFor()
  await row.getByText('Acknowledged by Ada Lovelace').waitFor()
  await row.getByText('1 of 1: local').waitFor()
  await page.getByText('Closed', { exact: true }).first().click()
  await row.waitFor({ state: 'detached' })
  const long = page.getByRole('row').filter({ hasText: 'Order history' })
  await long.getByRole('link', { name: 'status 503, expected 201 (1 more failed)' }).waitFor()
  const place = long.getByText(`POST ${address}`).locator('..')
  const lines = await place.evaluate((cell) => {
    const lineHeight = Number.parseFloat(getComputedStyle(cell).lineHeight)
    return { lines: Math.round(cell.clientHeight / lineHeight), isCut: cell.scrollHeight > cell.clientHeight + 1 }
  })
  expect(lines).toEqual({ lines: 2, isCut: false })
  expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Open', { exact: true }).click()
  await row.getByRole('link', { name: 'status 503, expected 200' }).click()
})

test('a member who may only read can change nothing', async () => {
  const [organization] = await database.db.select().from(organizations)
  const [service] = await database.db.select().from(services)
  const open = await createIncident(database.db, other)
  const grants = [(service as { id: string }).id, other.id].map((serviceId) => ({ serviceId, level: 1 as const }))
  const member = await database.create.member(organization as { id: string }, { displayName: 'Grace', grants })
  await setPassword(database.db, member.userId)
  const reader = await browser.open(web.url)
  await startSession(reader, { email: member.email, password: PASSWORD })
  // The filters are those of the address. The list offers nothing to select, although an incident is not acknowledged yet.
  await reader.goto('/incidents?state=open&q=order')
  await reader.getByRole('row').filter({ hasText: 'Order history' }).waitFor()
  expect(await reader.getByRole('searchbox', { name: 'Search incidents' }).inputValue()).toBe('order')
  expect(await reader.getByRole('row').count()).toBe(2)
  expect(await reader.getByRole('checkbox').count()).toBe(0)
  await database.db.update(incidents).set({ closedAt: new Date() }).where(eq(incidents.id, open.id))
  await page.waitForURL(/\/incidents\/[0-9a-f-]{36}$/)
  await reader.goto(page.url())
  await reader.getByText('Note by Ada Lovelace').waitFor()
  await reader.getByRole('region', { name: 'Post-mortem' }).getByRole('heading', { name: 'Cause' }).waitFor()
  expect(await reader.getByRole('button', { name: /acknowledge|Add note|post-mortem/i }).count()).toBe(0)
  expect(await reader.getByRole('main').getByRole('combobox').count()).toBe(0)
  await reader.close()
})

test('it is closed when the service recovers, and its open page says so', async () => {
  status = 200
  await run()
  await page.getByText('The service recovered').waitFor()
  await page.getByText('Was down for').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Runs' }).getByRole('row').count()).toBe(3)
  await expect
    .poll(() =>
      page
        .getByRole('navigation', { name: 'Main' })
        .getByText(/\d+ open/)
        .count(),
    )
    .toBe(0)
})
