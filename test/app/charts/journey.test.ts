import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { services } from '#db/schema/resources.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, rarelyDue, saveScript, scrollsSideways, setUp, textOf } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// A month of a service with six failures among 288 runs: the header, the charts, and what they lead to.

const AGENTS = ['oslo', 'paris'].map((slug, i) => ({ id: `01a1f8ef-6140-74a9-9487-ba35a8d7116${i}`, slug }))
const RUNS = 288
/** Two of the six are of one day. */
const FAILED = [21, 75, 140, 141, 200, 270]
const APART_MS = 140 * MINUTE_MS

let page: Page
let path = ''

beforeAll(async () => {
  page = await browser.open(web.url, { viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  await setUp(page, web)
  path = (await createPlaces(page, { workspace: 'Shop', project: 'Storefront', service: 'Checkout' })).service
  const id = path.slice('/services/'.length)
  await saveScript(page, id, 'post("https://shop.example/orders").expect(status: 200)', 1)
  await saveScript(
    page,
    id,
    'post("https://shop.example/orders").expect(status: 200)\nget("https://shop.example/cart")\n  .expect(status: 200)',
    2,
  )
  await rarelyDue(database.db)
  const [service] = await database.db.select().from(services).where(eq(services.id, id))
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await ensurePartitions(database.db, new Date(today - 31 * DAY_MS), 32)
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const startedAt = new Date(today - HOUR_MS - (RUNS - 1 - i) * APART_MS)
    const outcome = FAILED.includes(i) ? 'failure' : 'success'
    const run = runOf({ service: service!, agent: AGENTS[i % 2]!, outcome, startedAt })
    return { ...run, result: { ...run.result, scriptVersion: i < 144 ? 2 : 3 } }
  })
  await database.db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 100 }))
})

const chart = (name: string) => page.getByRole('group', { name })
const columns = (name: string) => chart(name).getByRole('link')
const plotOf = (name: string) => page.locator(`[data-chart="${name}"]`)
const tooltip = () => page.locator('[data-tooltip]')

async function numbers(name: string, input: object) {
  const response = await page.request.get(`/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return (await response.json()).result.data
}

async function rowsOfCsv(button: Locator): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  const text = await readFile(await file.path(), 'utf8')
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(',').map((field) => field.replace(/^"(.*)"$/, '$1')))
}

type Row = Record<string, string | number | null>

const fieldOf = (value: string | number | null | undefined) => (value === null ? '' : String(value))

/** The failing columns as they are drawn, and the colour of the bars that passed. */
function drawnFailures(name: string) {
  return plotOf(name).evaluate((plot) => {
    const sizeOf = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return { width, height, color: getComputedStyle(element).backgroundColor }
    }
    const marks = [...plot.querySelectorAll('[data-failed]')]
    const bars = [...plot.querySelectorAll('[data-failures]')]
    const passed = plot.querySelector('svg rect')
    return {
      counts: marks.map((mark) => Number(mark.getAttribute('data-failed'))),
      marks: marks.map(sizeOf),
      bars: bars.map(sizeOf),
      passed: passed && getComputedStyle(passed).fill,
    }
  })
}

test('a month with few failures shows them, and leads to what is behind them', async () => {
  await page.goto(`${path}?range=30d`)

  // The header says what is monitored, when, from where, and who hears of it.
  const header = page.getByRole('definition')
  await expect
    .poll(() => header.allTextContents())
    .toEqual([
      'POST shop.example/orders 2 steps',
      expect.stringMatching(/^0 0 1 1 \* UTC, next \w+ 1 Jan, 00:00 \(UTC\)$/),
      'Any shared agent',
      expect.stringMatching(/^You/),
    ])

  // Failures are seen: marked above, and drawn in a colour of their own, at least three pixels wide.
  const drawn = await drawnFailures('Runs over time')
  expect(drawn.counts.toSorted()).toEqual([1, 1, 1, 1, 2])
  for (const { width, height, color } of [...drawn.marks, ...drawn.bars]) {
    expect(width).toBeGreaterThanOrEqual(3)
    expect(height).toBeGreaterThanOrEqual(8)
    expect(color).not.toBe(drawn.passed)
  }
  expect(drawn.bars).toHaveLength(5)
  expect(await violationsInBothColorSchemes(page, '[data-chart="Runs over time"]')).toEqual([])

  // The CSV has the numbers of the API.
  const series = await numbers('statistics.series', { id: path.slice(10), range: '30d', zone: 'UTC' })
  const overview = await numbers('statistics.overview', { id: path.slice(10), window: '30d' })
  const [head, ...lines] = await rowsOfCsv(page.getByRole('button', { name: 'Download the history as CSV' }))
  expect(head).toEqual(['start (UTC)', 'end (UTC)', 'runs', 'failed', 'p50 (ms)', 'p95 (ms)'])
  expect(lines).toEqual(
    series.buckets.map((bucket: Row) => [
      ...[bucket.start, bucket.end, fieldOf(bucket.runs), fieldOf(bucket.failed)],
      ...[fieldOf(bucket.p50Ms), fieldOf(bucket.p95Ms)],
    ]),
  )
  expect(lines.map(([start, , runs, , p50, p95]) => [start, runs, p50, p95])).toEqual(
    overview.overall.map((bucket: Row) => [
      ...[bucket.bucketStart, fieldOf(bucket.probeCount), fieldOf(bucket.p50Ms), fieldOf(bucket.p95Ms)],
    ]),
  )
  const total = (column: number) => lines.reduce((sum, line) => sum + Number(line[column]), 0)
  expect([total(2), total(3)]).toEqual([RUNS, FAILED.length])

  // The arrow keys show what a column has; Enter opens its runs.
  const index = await columns('Runs over time').evaluateAll((all) =>
    all.findIndex((one) => one.ariaLabel?.includes('2 failed')),
  )
  await columns('Runs over time').last().focus()
  for (let i = 29; i > index; i--) await page.keyboard.press('ArrowLeft')
  await expect.poll(() => textOf(tooltip())).toMatch(/\(UTC\).*runs2 failedp50 20\sms/)

  // Shift and the arrow keys choose, Enter zooms in, Escape leaves.
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByRole('status').filter({ hasText: 'Enter zooms in' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await page.waitForURL(/range=30d&zoom=/)
  await expect.poll(() => columns('Runs over time').count()).toBe(24)
  expect((await drawnFailures('Runs over time')).counts).toEqual([1, 1])
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('zoom'))
  await expect.poll(() => columns('Runs over time').count()).toBe(30)

  // So does dragging.
  const [from, to] = await Promise.all([9, 12].map((i) => columns('Response time over time').nth(i).boundingBox()))
  await page.mouse.move(from!.x + from!.width / 2, from!.y + 40)
  await page.mouse.down()
  await page.mouse.move(to!.x + to!.width / 2, to!.y + 40, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/zoom=/)
  await expect.poll(() => columns('Runs over time').count()).toBe(32)
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect.poll(() => columns('Runs over time').count()).toBe(30)

  // The month fits a phone, and its failures are as wide.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('90 d', { exact: true }).click()
  await expect.poll(() => columns('Runs over time').count()).toBe(90)
  const narrow = await drawnFailures('Runs over time')
  expect(narrow.counts.toSorted()).toEqual([1, 1, 1, 1, 2])
  expect(Math.min(...[...narrow.marks, ...narrow.bars].map(({ width }) => width))).toBeGreaterThanOrEqual(3)
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })

  // Phases and agents have the same axis.
  await page.goto(`${path}/statistics?range=30d`)
  const axis = () => page.locator('[data-chart^="Response time by"] [data-axis] span').allTextContents()
  const ofPhases = await axis()
  await page.getByText('By agent', { exact: true }).click()
  await chart('Response time by agent').waitFor()
  expect(await axis()).toEqual(ofPhases)
  const [agentsHead, ...agentLines] = await rowsOfCsv(
    page.getByRole('button', { name: 'Download the response time by agent as CSV' }),
  )
  expect(agentsHead).toEqual(['start (UTC)', 'end (UTC)', 'oslo (ms)', 'paris (ms)'])
  expect(new Set(agentLines.flatMap((line) => line.slice(2)))).toEqual(new Set(['20', '']))
  expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })

  // A mark of a version leads to what it changed.
  await page.getByRole('link', { name: 'v3: what it changed' }).first().click()
  await page.waitForURL(/\/script\?compare=3$/)
  await page.getByRole('dialog').getByText('shop.example/cart').first().waitFor()
})
