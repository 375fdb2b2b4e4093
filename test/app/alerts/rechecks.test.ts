import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { incidents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, operate, rarelyDue, saveScript, scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { makeDue } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

let target: HttpTarget
/** The statuses of the next responses; 200 after them. */
let statuses: number[] = []
/** What a response of 200 waits for. */
let passing = Promise.resolve()
let page: Page
let service: string

beforeAll(async () => {
  target = await startHttpTarget(async (_, response) => {
    const status = statuses.shift() ?? 200
    if (status === 200) await passing
    response.writeHead(status).end()
  })
  page = await browser.open(web.url)
  await setUp(page, web)
  const places = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Cart' })
  service = places.service
  await rarelyDue(database.db)
  const id = service.slice('/services/'.length)
  await saveScript(page, id, `get("http://127.0.0.1:${target.port}/").expect(status: 200)`)
  const alerting = { confirmFailures: 1, confirmRecoveries: 1, alertOnRecovery: true, remindMinutes: 0 }
  await operate(page, 'alerts.configure', { id, ...alerting, recheckSeconds: 1, recheckWrites: false })
})
afterAll(() => target.close())

test('a failed run and its recheck are shown as one pair', async () => {
  statuses = [500]
  await makeDue(database.db, { id: service.slice('/services/'.length) })
  await page.goto(service)
  const recheck = page.getByRole('link', { name: 'Recheck', exact: true })
  await recheck.waitFor({ timeout: 120_000 })
  await recheck.click()
  const pair = page.getByRole('region', { name: 'Recheck' })
  await pair.getByText('First run').waitFor()
  await pair.getByText('Failed', { exact: true }).waitFor()
  await pair.getByText('Passed', { exact: true }).waitFor()
  // The failure counts nowhere: the head says so, and nothing on the page is red.
  await page.getByRole('link', { name: 'Passed on recheck' }).waitFor()
  const cause = page.getByRole('alert').filter({ hasText: 'The run failed, and counts nowhere' })
  const colors = await Promise.all(
    [cause, page.getByRole('region', { name: 'Step 1', exact: true })].map((place) =>
      place.evaluate((element) => {
        const { color, borderTopColor, backgroundColor } = getComputedStyle(element)
        return [color, borderTopColor, backgroundColor]
      }),
    ),
  )
  const isRed = (color: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
    return alpha > 0 && red > Math.max(green, blue) + 40
  }
  expect(colors.flat().filter(isRed)).toEqual([])
  // The rest is that of every result.
  expect(await violationsInBothColorSchemes(page, '[aria-label="Recheck"], main [role="alert"]')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
  // The other one is a link away.
  await pair.getByRole('link').click()
  await pair.getByText('this result').waitFor()
})

test('the page of a failed run shows the recheck as soon as it ends', async () => {
  const id = service.slice('/services/'.length)
  const { promise, resolve } = Promise.withResolvers<void>()
  passing = promise
  statuses = [500]
  const before = await failuresOf(id)
  await makeDue(database.db, { id })
  await expect.poll(async () => (await failuresOf(id)).length, { timeout: 120_000 }).toBe(before.length + 1)
  const [failed] = (await failuresOf(id)).filter((each) => !before.includes(each))
  await page.goto(`${service}/results/${failed}`)
  await page.getByRole('heading', { name: /^Run at/ }).waitFor()
  const pair = page.getByRole('region', { name: 'Recheck' })
  expect(await pair.count()).toBe(0)
  resolve()
  await pair.getByText('Passed', { exact: true }).waitFor()
})

test('the page of an incident says that its service flaps', async () => {
  const id = service.slice('/services/'.length)
  const [row] = await database.db.select().from(services).where(eq(services.id, id))
  if (!row) throw new Error('the service is stored')
  const incident = await createIncident(database.db, row, { flappingSince: new Date() })
  await page.goto(`/incidents/${incident.id}`)
  await page.getByText('The service is flapping').first().waitFor()
  await page.getByText('Flapping', { exact: true }).waitFor()
  await page.getByText('Flapping for', { exact: true }).waitFor()
  expect(await violationsInBothColorSchemes(page, 'main [role="alert"], main div:has(> h1)')).toEqual([])
  await database.db.update(incidents).set({ closedAt: new Date() }).where(eq(incidents.id, incident.id))
  // What somebody writes makes open pages ask for their data.
  await operate(page, 'incidents.addNote', { id: incident.id, text: 'It is over.' })
  await page.getByText('Flapped for', { exact: true }).waitFor()
  expect(await page.getByText(/down for/i).count()).toBe(0)
})

/** The ids of the failed results of the service. */
async function failuresOf(id: string): Promise<string[]> {
  const isFailure = and(eq(results.serviceId, id), eq(results.status, 'failure'))
  return (await database.db.select({ id: results.id }).from(results).where(isFailure)).map((row) => row.id)
}
