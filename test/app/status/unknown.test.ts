import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { agents, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { schedules, workers as workerRows } from '#db/schema/runs.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, openByLink, saveScript, scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { requestRunOf } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
const worker = testWorker(database.url)
const browser = testBrowser()

// The only worker runs a service and stops. Nothing is written then: open pages change because time passes.

let target: HttpTarget
let wall: Page
let page: Page
let service: typeof services.$inferSelect
let places: Awaited<ReturnType<typeof createPlaces>>

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.end('{}'))
  page = await browser.open(web.url)
  await setUp(page, web)
  places = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Cart' })
  const id = places.service.slice('/services/'.length)
  await saveScript(page, id, `get("http://127.0.0.1:${target.port}/").expect(status: 200)`)
  const { db } = database
  await db.update(schedules).set({ cron: '* * * * *' }).where(eq(schedules.serviceId, id))
  const [row] = await db.update(services).set({ schedule: '* * * * *' }).where(eq(services.id, id)).returning()
  service = row as typeof service
  await requestRunOf(db, service)
  await until('a run', async () => (await database.db.select().from(serviceStates))[0]?.lastRunAt)
  await worker.stop()
  wall = await page.context().newPage()
  // Their clocks are moved on by hand.
  for (const one of [wall, page]) await one.clock.install()
})
afterAll(() => target.close())

/** Moves everything back that tells the time of a run or of a heartbeat. */
async function pass(minutes: number): Promise<void> {
  const { db } = database
  const back = (column: string) => sql.raw(`${column} - interval '${minutes} minutes'`)
  await db.update(serviceStates).set({ lastRunAt: back('last_run_at'), lastStatusSince: back('last_status_since') })
  await db
    .update(schedules)
    .set({ expectedFrom: back('expected_from'), nextSlot: back('next_slot'), nextRunAt: back('next_run_at') })
  await db.update(workerRows).set({ heartbeatAt: back('heartbeat_at') })
  await db.update(agents).set({ lastSeenAt: back('last_seen_at') })
}

test('an open wall and an open board turn grey by themselves', async () => {
  await wall.goto('/?tv=1')
  await page.goto('/')
  const counts = wall.getByRole('list', { name: 'States' })
  await counts.getByText('1 Passing').waitFor()
  await page.getByRole('link', { name: '1 Passing' }).waitFor()
  await pass(7)
  await wall.clock.runFor(31_000)
  await counts.getByText('1 Unknown').waitFor()
  expect(await counts.getByText('Passing').count()).toBe(0)
  await wall
    .getByRole('list', { name: 'Services' })
    .getByText(/^Unknown since \d\d:\d\d$/)
    .waitFor()
  await page.clock.runFor(61_000)
  const wrong = page.getByRole('row', { name: /Cart/ })
  await wrong.getByText('Unknown', { exact: true }).waitFor()
  await wrong.getByText(/^\s*since \d\d:\d\d$/).waitFor()
  await wrong.getByText('every agent that can run it is lost').waitFor()
  await page.getByRole('link', { name: '0 Passing' }).waitFor()
  await page.getByText('An agent is lost').waitFor()
  // The rest is that of every wall and board.
  expect(await violationsInBothColorSchemes(wall, '[aria-label="States"], [aria-label="Services"]')).toEqual([])
  expect(await violationsInBothColorSchemes(page, 'main tbody')).toEqual([])
})

test('lists, containers and the page of the service say so too', async () => {
  await openByLink(page, '/workspaces')
  await page.getByRole('row', { name: /Shop/ }).getByText('1 unknown').waitFor()
  await page.goto(places.project)
  await page
    .getByRole('row', { name: /Cart/ })
    .getByText(/^Unknown since \d\d:\d\d$/)
    .waitFor()
  await page.getByText('1 unknown').first().waitFor()
  expect(await scrollsSideways(page)).toBe(false)
  await page.getByRole('main').getByRole('link', { name: 'Cart', exact: true }).click()
  const state = page.getByRole('region', { name: 'State' })
  await state.getByRole('heading', { name: /^Unknown since \d\d:\d\d$/ }).waitFor()
  await state.getByText('every agent that can run it is lost').waitFor()
  expect(await page.title()).toMatch(/^Unknown · Cart/)
})

test('a worker that comes back makes it passing again', async () => {
  await worker.start()
  await requestRunOf(database.db, service)
  await page.getByRole('region', { name: 'State' }).getByText('Passing').waitFor()
})
