import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { scrollsSideways, setUp, takeScreenshots } from '#test/support/browser/pages.ts'
import { sharedWeb } from '#test/support/processes/web-process.ts'
import { workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A new service on one page of an empty installation, with a real worker.

const { database, web } = sharedWeb()
const workers = workerProcesses(database.url)
const browser = testBrowser()
const LONG_NAME = 'n'.repeat(128)

let target: HttpTarget
let page: Page

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title>')
  })
  await workers.start()
})
afterAll(() => target.close())

const url = () => `http://127.0.0.1:${target.port}/`

test('a URL is tested without a service, and its response suggests assertions', async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  await page.goto('/services/new')
  await page.getByLabel('URL').fill(`  ${url()} `)
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('The status is 200').waitFor({ timeout: 120_000 })
  expect(await page.getByRole('checkbox', { name: 'The body contains “Shop”' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: /^The content type/ }).isChecked()).toBe(false)
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('127.0.0.1')
  await page.getByRole('button', { name: 'Response body' }).click()
  await page.getByText('<title>Shop</title>').waitFor()
  await takeScreenshots(page, 'new-service')
  expect(await violationsInBothColorSchemes(page)).toEqual([])
})

test('the script shows what is ticked', async () => {
  await page.getByRole('checkbox', { name: /^A response slower than/ }).uncheck()
  await page.getByRole('button', { name: 'Script', exact: true }).click()
  const script = page.getByRole('region', { name: 'Generated script' })
  await script.getByText('includes("Shop", this.body)').waitFor()
  expect(await script.textContent()).not.toContain('totalDelayMs')
})

test('a changed request drops the suggestions, until it is tested again', async () => {
  await page.getByLabel('URL').fill('http://10.0.0.1/')
  await page.getByText('The request has changed since the test.').waitFor()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('may not send requests to this address').waitFor()
  await page.getByLabel('URL').fill(url())
  await page.getByLabel('URL').press('Enter')
  await page.getByText('The status is 200').waitFor({ timeout: 120_000 })
})

test('one button creates workspace, project and service, and the first run follows', async () => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(LONG_NAME)
  await page.getByRole('textbox', { name: 'Name of the project' }).fill('')
  await page.getByRole('button', { name: 'Create service' }).click()
  await page.getByText('Required', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Name of the project' }).fill('Websites')
  await page.getByRole('button', { name: 'Create service' }).click()
  await page.waitForURL(/\/services\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { name: LONG_NAME }).waitFor()
  await page.getByText('Passed', { exact: true }).filter({ visible: true }).first().waitFor({ timeout: 120_000 })
})

test('the next service starts in the last project, and fits on a phone', async () => {
  await page.goto('/services/new')
  await page.getByLabel('URL').waitFor()
  const project = page.getByRole('combobox', { name: 'Project' }).or(page.getByRole('textbox', { name: 'Project' }))
  expect(await project.first().inputValue()).toBe('Websites')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
})
