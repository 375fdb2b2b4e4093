import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organizations } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { PASSWORD, setPassword } from '#test/support/browser/dashboard.ts'
import {
  createPlaces,
  rarelyDue,
  saveScript,
  setUp,
  startSession,
  takeScreenshots,
} from '#test/support/browser/pages.ts'
import { sharedWeb } from '#test/support/processes/web-process.ts'
import { workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = sharedWeb()
const workers = workerProcesses(database.url)
const browser = testBrowser()

// An incident from the first failing run to the recovery, with a real worker and a target whose status the test chooses.

let target: HttpTarget
let status = 200
let page: Page

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"the database is full"}')
  })
  await workers.start()
  page = await browser.open(web.url)
  await setUp(page, web)
  await page.goto('/workspaces')
  await takeScreenshots(page, 'workspaces-empty')
})
afterAll(() => target.close())

async function runNow(outcome: 'passed' | 'failed'): Promise<void> {
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText(`Run ${outcome}`, { exact: true }).waitFor({ timeout: 120_000 })
  await page.getByText(`Run ${outcome}`, { exact: true }).waitFor({ state: 'hidden' })
}

const openList = () =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Incidents/ })
    .click()

test('without incidents, the list says what will appear there', async () => {
  await openList()
  await page.getByText('No incidents yet').waitFor()
  expect(
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByText(/\d+ open/)
      .count(),
  ).toBe(0)
})

test('a failed service shows its incident', async () => {
  const { service } = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Public API' })
  await rarelyDue(database.db)
  const script = `get("http://127.0.0.1:${target.port}/cart").expect(status: 200)`
  await saveScript(page, service.slice('/services/'.length), script)
  await page.goto(service)
  await runNow('passed')
  expect(await page.getByRole('link', { name: 'See the incident' }).count()).toBe(0)
  status = 503
  await runNow('failed')
  const state = page.getByRole('region', { name: 'State' })
  await state.getByText('Not acknowledged').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor()
  await state.getByRole('link', { name: 'See the incident' }).click()
  await page.waitForURL(/\/incidents\/[0-9a-f-]{36}$/)
})

test('its page explains the failure', async () => {
  await page.getByRole('heading', { level: 1, name: 'Public API' }).waitFor()
  const cause = page.getByRole('alert').filter({ hasText: 'The run failed' })
  await cause.getByText(`/cart: status 503, expected 200`).waitFor()
  await cause.getByText('the database is full').waitFor()
  const passing = page.getByRole('region', { name: 'Last passing run' })
  await passing.getByText('Passed', { exact: true }).waitFor()
  const failing = page.getByRole('region', { name: 'First failing run' })
  await failing.getByText('Failed', { exact: true }).waitFor()
  await failing.getByText('status 503, expected 200').waitFor()
  const agents = page.getByRole('region', { name: 'Agents' })
  await agents.getByRole('cell', { name: 'local' }).waitFor()
  await agents.getByRole('cell', { name: '1 in a row' }).waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByText('The service failed').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Runs' }).getByRole('row').count()).toBe(2)
})

test('it is acknowledged, and notes are added', async () => {
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Ada Lovelace acknowledged the incident').waitFor()
  await page.getByRole('button', { name: 'Add note' }).click()
  await timeline.getByText('Required').waitFor()
  await page.getByRole('textbox', { name: 'Note' }).fill('The disk is full.\nWe add another.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await timeline.getByText('Note by Ada Lovelace').waitFor()
  await timeline.getByRole('list').getByText('We add another.').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('')
  await takeScreenshots(page, 'incident')
})

test('the list shows it, filtered by state', async () => {
  await openList()
  const row = page.getByRole('row').filter({ hasText: 'Public API' })
  await row.getByText('status 503, expected 200').waitFor()
  await row.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
  await row.getByText('1 of 1: local').waitFor()
  await takeScreenshots(page, 'incidents')
  await page.getByText('Closed', { exact: true }).click()
  await page.getByText('No closed incidents').waitFor()
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Open', { exact: true }).click()
  await row.getByRole('link', { name: 'Public API' }).click()
})

test('a member who may only read can neither acknowledge nor add notes', async () => {
  const [organization] = await database.db.select().from(organizations)
  const [service] = await database.db.select().from(services)
  const grants = [{ serviceId: (service as { id: string }).id, level: 1 as const }]
  const member = await database.create.member(organization as { id: string }, { displayName: 'Grace', grants })
  await setPassword(database.db, member.userId)
  const reader = await browser.open(web.url)
  await startSession(reader, { email: member.email, password: PASSWORD })
  await page.waitForURL(/\/incidents\/[0-9a-f-]{36}$/)
  await reader.goto(page.url())
  await reader.getByText('Note by Ada Lovelace').waitFor()
  expect(await reader.getByRole('button', { name: /Acknowledge|Add note/ }).count()).toBe(0)
})

test('it is closed when the service recovers', async () => {
  status = 200
  await page.getByRole('link', { name: 'Open service' }).click()
  await runNow('passed')
  await page.getByRole('link', { name: 'See the incident' }).waitFor({ state: 'detached' })
  await openList()
  await page.getByRole('row').filter({ hasText: 'Public API' }).getByText('Closed').waitFor()
  await page.getByRole('link', { name: 'Public API' }).click()
  await page.getByText('The service recovered').waitFor()
  await page.getByText('Was down for').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Runs' }).getByRole('row').count()).toBe(3)
  expect(
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByText(/\d+ open/)
      .count(),
  ).toBe(0)
  await takeScreenshots(page, 'incident-closed')
})
