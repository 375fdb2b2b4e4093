import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  openTab,
  rarelyDue,
  saveScript,
  scrollsSideways,
  setUp,
  textOf,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { requestRunOf } from '#test/support/runs/probed.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// Results of real runs: a check and an expect that fail, a skipped step, JSON, bytes and a timeout.

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const LONG_NAME = 'n'.repeat(128)

let target: HttpTarget
/** Whether the cart responds with its database gone. */
let isBroken = false
let page: Page
let serviceId: string

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    const json = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-release': isBroken ? 'v2' : 'v1' })
        .end(JSON.stringify(value))
    if (request.url === '/logo') return void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    // A request to /hang gets no response.
    if (request.url === '/hang') return
    if (request.url?.endsWith('/cart') && isBroken) return void json(503, { message: 'no database', items: [] })
    if (request.url === '/deep') {
      const type = { 'content-type': 'application/json' }
      return void response.writeHead(isBroken ? 500 : 200, type).end(deepBody(isBroken ? 'broken' : 'fine'))
    }
    json(200, { message: 'fine', items: [{ id: 1, name: 'Lamp' }], count: 1 })
  })
  page = await browser.open(web.url)
  await setUp(page, web)
  const { service } = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: LONG_NAME })
  serviceId = service.slice('/services/'.length)
  await rarelyDue(database.db)
  await saveScript(page, serviceId, scriptOf('/cart'))
  await page.goto(service)
})
afterAll(() => target.close())

/** More than both bodies show, deeper than lines are broken. */
function deepBody(state: string): string {
  const depth = 1_000
  return `${'['.repeat(depth)}"${state}"${',1'.repeat(10_000)}${']'.repeat(depth)}`
}

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`
/** The script of most tests; the third step calls the cart. */
const scriptOf = (cart: string) =>
  [
    `get("${url('/items')}").expect(status: 200).check(status: 201)`,
    '.assert({ check: [this.body.count eq 5], expect: [this.body.message eq "fine"] })',
    '.wait(400)',
    `get("${url('/logo')}").expect(status: 200)`,
    `get("${url(cart)}").expect(status: 200)`,
    `post("${url('/checkout')}").expect(status: 200)`,
  ].join('\n')
const step = (number: number) => page.getByRole('region', { name: `Step ${number}`, exact: true })

async function isOpen(place: Locator): Promise<boolean> {
  return (await place.getByRole('button', { expanded: true }).count()) > 0
}

describe('the result page', () => {
  test('of a run that passed has its steps folded, and says so in the title', async () => {
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: 'See the result' }).first().click({ timeout: 120_000 })
    await page.waitForURL(/\/results\/[0-9a-f-]{36}$/)
    const title = new RegExp(`^${LONG_NAME}: passed, .* – Soundline$`)
    await expect.poll(() => page.title()).toMatch(title)
    const isOn = page.getByRole('switch', { name: `${LONG_NAME} is switched on` })
    await isOn.press(' ')
    await page.getByText('Paused', { exact: true }).first().waitFor()
    expect(await page.title(), "the state of the service is not the result's").toMatch(title)
    await expect.poll(() => isOn.isEnabled()).toBe(true)
    await isOn.press(' ')
    await expect.poll(() => isOn.isChecked()).toBe(true)
    expect(await page.getByRole('list', { name: 'Timeline of the run' }).getByRole('listitem').count()).toBe(4)
    for (const number of [1, 2, 3, 4]) expect(await isOpen(step(number))).toBe(false)
    await page.getByRole('img', { name: /^Starts at .*First byte .*, Wait 4\d\d ms$/ }).waitFor()
  })

  test('of a failing run has the cause on top and the failing step open, its body beside the expectation', async () => {
    isBroken = true
    await page.getByRole('link', { name: 'All results' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    const state = page
      .getByRole('region', { name: 'State' })
      .filter({ hasText: `GET ${url('/cart')}: status 503, expected 200` })
    await state.getByRole('link', { name: 'See the result' }).click({ timeout: 120_000 })
    await page.getByRole('alert').filter({ hasText: 'The run failed' }).getByText('Expected status = 200').waitFor()
    await expect.poll(() => page.title()).toMatch(/: failed, /)
    const failing = step(3)
    await failing.getByRole('table', { name: 'Assertions' }).getByText('status = 200').waitFor()
    await failing.getByRole('region', { name: 'Response body' }).getByText('"no database"').waitFor()
    await failing.getByRole('cell', { name: 'v2' }).waitFor()
    for (const number of [1, 2]) expect(await isOpen(step(number))).toBe(false)
    await step(4).getByText('Skipped: step 3 failed').waitFor()
    await step(4).getByText(url('/checkout')).waitFor()
  })

  test('tells expect from check, and names the sides of a condition', async () => {
    await page.getByRole('link', { name: /^1\. GET \/items/ }).click()
    const assertions = step(1).getByRole('table', { name: 'Assertions' })
    const row = (type: string) => assertions.getByRole('row').filter({ has: page.getByText(type, { exact: true }) })
    expect(await textOf(row('.check').getByRole('cell').first())).toBe('Failed')
    expect(await textOf(row('.expect').getByRole('cell').first())).toBe('Passed')
    await row('.assert (check)').getByText('this.body.count = 1').waitFor()
    expect(await textOf(row('.assert (expect)').getByRole('cell').first())).toBe('Passed')
  })

  test('shows a body as tree, text and bytes, and downloads it', async () => {
    await step(1).getByRole('button', { name: 'Response body' }).click()
    const tree = step(1).getByRole('region', { name: 'Response body' })
    await tree.getByText('"Lamp"').waitFor()
    await tree.getByRole('button', { name: /items: \[/ }).click()
    await tree.getByText('"Lamp"').waitFor({ state: 'detached' })
    await step(1).getByText('Text', { exact: true }).click()
    await tree.getByText('"name": "Lamp"').waitFor()

    await step(2)
      .getByRole('button', { name: /Step 2/ })
      .click()
    await step(2).getByRole('button', { name: 'Response body' }).click()
    await step(2).getByText('89 50 4e 47 0d 0a 1a 0a').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      step(2).getByRole('button', { name: 'Download' }).click(),
    ])
    expect(await readFile(await download.path())).toEqual(PNG)
  })

  test('has no violations of accessibility, and fits a phone', async () => {
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await scrollsSideways(page)).toBe(false)
  })
})

describe('the comparison', () => {
  test('with the last passing run shows what changed, and nothing else', async () => {
    await page.getByRole('link', { name: 'Compare with the last passing run' }).click()
    const comparison = page.getByRole('region', { name: 'Compared with the last passing run' })
    const title = `Step 3: GET ${url('/cart')}`
    const values = comparison.getByRole('table', { name: `Differences of ${title}` })
    await values.getByRole('row', { name: 'Status 200 503' }).waitFor()
    expect(
      await values
        .getByRole('row')
        .filter({ hasText: /TLS|Size/ })
        .count(),
    ).toBe(0)
    await comparison.getByRole('row', { name: 'x-release v1 v2' }).waitFor()
    expect(await comparison.getByRole('row', { name: /^(date|content-type)/ }).count()).toBe(0)
    const changed = comparison.getByRole('table', { name: 'Changed values of the body' })
    await changed.getByRole('row', { name: '.message "fine" "no database"' }).waitFor()
    await changed.getByRole('row', { name: '.count 1 absent' }).waitFor()
    await comparison.getByText('Text', { exact: true }).first().click()
    const body = comparison.getByRole('region', { name: 'Differences of the bodies' })
    await body.getByText('Removed: "message": "fine",').waitFor()
    await body.getByText('Added: "message": "no database",').waitFor()
    expect(await violationsInBothColorSchemes(page, 'section[aria-labelledby="comparison"]')).toEqual([])
    await page.reload()
    await changed.waitFor()
  })

  test('with any other result of the service, by its link', async () => {
    const comparison = page.getByRole('region', { name: /^Compared with/ })
    const link = await comparison
      .getByRole('table', { name: 'Both runs' })
      .getByRole('link')
      .first()
      .getAttribute('href')
    const field = comparison.getByRole('textbox', { name: 'Compare with another result' })
    await field.fill('nothing')
    await page.keyboard.press('Enter')
    await comparison.getByText('Enter the id or the link of a result.').waitFor()
    await field.fill(`${web.url}${link}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?compare=[0-9a-f-]{36}$/)
    await page
      .getByRole('region', { name: 'Compared with another run' })
      .getByRole('table', { name: 'Both runs' })
      .waitFor()
    await field.fill('00000000-0000-7000-8000-000000000000')
    await page.keyboard.press('Enter')
    await page.getByText('No result with this id is stored for this service.').waitFor()
    await page.getByRole('link', { name: 'Close the comparison' }).click()
    await page.getByRole('region', { name: /^Compared with/ }).waitFor({ state: 'detached' })
  })

  test('shows the change of the script, and a renamed step as one entry', async () => {
    await saveScript(page, serviceId, scriptOf('/v2/cart'), 2)
    await openTab(page, 'Service', 'Results')
    await page.getByRole('button', { name: 'Run now' }).click()
    const state = page
      .getByRole('region', { name: 'State' })
      .filter({ hasText: `GET ${url('/v2/cart')}: status 503, expected 200` })
    await state.getByRole('link', { name: 'See the result' }).click({ timeout: 120_000 })
    await page.getByRole('link', { name: 'Compare with the last passing run' }).click()
    const comparison = page.getByRole('region', { name: 'Compared with the last passing run' })
    const change = comparison.getByRole('region', { name: 'Changes from version 2 to 3' })
    await change.getByText(`-get("${url('/cart')}")`).waitFor()
    await change.getByText(`+get("${url('/v2/cart')}")`).waitFor()
    const title = `Step 3: GET ${url('/v2/cart')}`
    const values = comparison.getByRole('table', { name: `Differences of ${title}` })
    await values.getByRole('row', { name: `Request GET ${url('/cart')} GET ${url('/v2/cart')}` }).waitFor()
    expect(await comparison.getByText(/only there in the (earlier|later) run/).count()).toBe(0)
    expect(await comparison.getByRole('button', { name: /^Step 3/ }).count()).toBe(1)
    // The change has an address, as the mark in the list of runs has.
    const inVersions = comparison.getByRole('link', { name: 'Open in the versions' })
    expect(await inVersions.getAttribute('href')).toMatch(/\/script\?compare=2\.\.3$/)
    await openTab(page, 'Service', 'Results')
    const mark = page.getByRole('link', { name: '2 → 3' })
    expect(await mark.getAttribute('href')).toMatch(/\/script\?compare=2\.\.3$/)
  })
})

test('a timeout shows the phase in which it fell', async () => {
  await saveScript(page, serviceId, `get("${url('/hang')}", { timeout: { ms: 2000 } }).expect(status: 200)`, 3)
  await page.getByRole('button', { name: 'Run now' }).click()
  const state = page.getByRole('region', { name: 'State' }).filter({ hasText: '/hang: ' })
  await state.getByRole('link', { name: 'See the result' }).click({ timeout: 120_000 })
  const cause = page.getByRole('alert').filter({ hasText: 'The run timed out' })
  await cause.getByText('Timed out during: waiting for the first byte').waitFor()
  await page.getByRole('img', { name: /^Starts at .*, Timed out [\d.]+ s$/ }).waitFor()
  await step(1).getByText('no complete response within 2000 ms').first().waitFor()
})

describe('deeply nested bodies', () => {
  test('are compared in a thread of the browser, and the page says what is left out', async () => {
    isBroken = false
    await saveScript(page, serviceId, `get("${url('/deep')}").expect(status: 200)`, 4)
    const [service] = await database.db.select().from(services)
    await requestRunOf(database.db, service as typeof services.$inferSelect)
    const passed = and(eq(results.scriptVersion, 5), eq(results.status, 'success'))
    await expect.poll(() => database.db.$count(results, passed)).toBeGreaterThan(0)
    isBroken = true
    await openTab(page, 'Service', 'Results')
    await page.getByRole('button', { name: 'Run now' }).click()
    const state = page.getByRole('region', { name: 'State' }).filter({ hasText: 'status 500, expected 200' })
    await state.getByRole('link', { name: 'See the result' }).click({ timeout: 120_000 })
    const worker = page.waitForEvent('worker')
    await page.getByRole('link', { name: 'Compare with the last passing run' }).click()
    const comparison = page.getByRole('region', { name: 'Compared with the last passing run' })
    const body = comparison.getByRole('region', { name: 'Differences of the bodies' })
    await body.getByText('"broken"').waitFor()
    await worker
    expect(((await body.textContent()) ?? '').length).toBeLessThan(5_000)
    await comparison.getByText('Values more than 30 levels deep are not broken into lines.').waitFor()
    await comparison.getByText('Long lines are cut to 1,000 characters.').waitFor()
    await step(1).getByText('Text', { exact: true }).click()
    await step(1).getByText('Values more than 30 levels deep are not broken into lines.').waitFor()
  })

  test('are both shown when the thread does not reply', async () => {
    // The thread of the page gets no task.
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => undefined
    })
    await page.getByRole('link', { name: 'Close the comparison' }).click()
    await page.getByRole('link', { name: 'Compare with the last passing run' }).click()
    const comparison = page.getByRole('region', { name: 'Compared with the last passing run' })
    await comparison.getByText('The comparison took too long and was stopped. Both bodies:').waitFor()
    await comparison.getByRole('region', { name: 'Before' }).waitFor()
    await comparison.getByText('The first 20,000 characters of each.').waitFor()
    expect(page.workers()).toEqual([])
  })
})
