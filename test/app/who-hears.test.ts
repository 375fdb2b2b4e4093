import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  openByLink,
  openTab,
  type Places,
  rarelyDue,
  saveScript,
  scrollsSideways,
  setUp,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// From the first run that passes to the first alert that arrives, with a real worker, a target and a receiver.

let page: Page
let paths: Places
let target: HttpTarget
let status = 200
const received: string[] = []

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    if (request.url !== '/slack') return response.writeHead(status).end('{}')
    received.push((await readAll(request)).toString())
    response.end('ok')
  })
  page = await browser.open(web.url)
  await setUp(page, web)
  paths = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay' })
  await rarelyDue(database.db)
  const script = `get("http://127.0.0.1:${target.port}/cart").expect(status: 200)`
  await saveScript(page, paths.service.slice('/services/'.length), script)
})
afterAll(() => target.close())

const question = () => page.getByRole('region', { name: 'Where should alerts go?' })
const bell = () => page.getByRole('button', { name: /^Alerts / })

async function runNow(outcome: 'passed' | 'failed'): Promise<void> {
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText(`Run ${outcome}`, { exact: true }).waitFor({ timeout: 120_000 })
}

async function fitsPhone(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('the first alert', () => {
  test('begins with the question after the first run that passed', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(paths.service)
    await page.getByRole('button', { name: 'Alerts on, but mail is not configured' }).waitFor()
    expect(await question().count()).toBe(0)
    await runNow('passed')
    await question().getByText('Mail is not configured.').waitFor()
    await question().getByText('SMTP_URL').waitFor()
    const choices = await question().locator('a[href^="/webhooks"], button').allTextContents()
    expect(choices).toEqual(['Slack', 'Teams', 'Discord', 'PagerDuty', 'Telegram', 'A webhook', 'Later'])
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    await fitsPhone()
    await openByLink(page, '/')
    await question().waitFor()
  })

  test('goes on with the form of a new webhook, bound to the whole organization, and a test', async () => {
    await question().getByRole('link', { name: 'Slack' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    expect(await dialog.getByRole('combobox', { name: 'Service' }).inputValue()).toBe('Slack')
    await dialog.getByRole('list', { name: 'Bindings' }).getByText('The whole organization Acme').waitFor()
    await dialog.getByRole('button', { name: 'Remove Acme' }).click()
    await dialog.getByText('It is bound to nothing, so it alerts nobody.').waitFor()
    await dialog.getByRole('combobox', { name: 'Bind it to' }).click()
    await page.getByRole('option', { name: 'The whole organization Acme' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('#ops')
    await dialog.getByRole('textbox', { name: 'Webhook URL' }).fill(`http://127.0.0.1:${target.port}/slack`)
    expect(await violationsInBothColorSchemes(page, '[role="dialog"]')).toEqual([])
    await fitsPhone()
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test message was delivered: the receiver responded with 200.').waitFor()
    expect(received).toHaveLength(1)
    await page.getByRole('button', { name: 'Done' }).click()
    const bindings = page.getByRole('region', { name: 'Bindings' })
    await bindings.getByRole('cell', { name: 'The whole organization Acme' }).waitFor()
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    await fitsPhone()
  })

  test('arrives at the receiver when the service fails, and the question is not asked again', async () => {
    await openByLink(page, '/')
    await page.getByRole('link', { name: 'Pay' }).first().click()
    await page.getByRole('button', { name: 'Alerts on for #ops in Slack, but mail is not configured' }).waitFor()
    expect(await question().count()).toBe(0)
    await bell().click()
    const details = page.getByRole('dialog', { name: 'Alerts' })
    await details.getByText('A webhook is notified: #ops in Slack.').waitFor()
    await details.getByText('Mail is not configured, so you get no mails.').waitFor()
    await page.keyboard.press('Escape')
    status = 500
    await runNow('failed')
    await expect.poll(() => received.length, { timeout: 120_000 }).toBe(2)
    expect(received[1]).toContain('Pay')
    expect(received[1]).toContain('status 500, expected 200')
  })
})

describe('the bindings', () => {
  test('above a service are listed on its page with where they come from', async () => {
    await openTab(page, 'Service', 'Webhooks')
    await page.getByText('No webhook is bound to this service itself.').waitFor()
    await page.getByRole('cell', { name: '#ops Bound to the whole organization Acme' }).waitFor()
    expect(await accessibilityViolations(page, 'main')).toEqual([])
    await fitsPhone()
    await page.getByRole('link', { name: '#ops', exact: true }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
  })

  test('are paused, removed and added on the page of the webhook, and a list says which one alerts nobody', async () => {
    const bindings = page.getByRole('region', { name: 'Bindings' })
    const isOn = bindings.getByRole('switch', { name: 'Notified of Acme' })
    await isOn.press(' ')
    await expect.poll(() => isOn.isChecked()).toBe(false)
    await bindings.getByRole('button', { name: 'Unbind from Acme' }).click()
    await bindings.getByText('It is bound to nothing, so it alerts nobody.').waitFor()
    await openByLink(page, '/webhooks')
    await page
      .getByRole('row', { name: /#ops Slack It is bound to nothing, so it alerts nobody/ })
      .getByRole('link', { name: 'Bind it' })
      .click()
    await bindings.getByRole('combobox', { name: 'Bind it to' }).fill('checkout')
    await page.getByRole('option', { name: 'Checkout Project in Shop' }).click()
    await bindings.getByRole('button', { name: 'Bind', exact: true }).click()
    await bindings.getByRole('cell', { name: 'The project Checkout' }).waitFor()
  })
})

test('a grant without notifications is access alone', async () => {
  await page.goto(`${paths.workspace}/access`)
  const isNotified = page.getByRole('switch', { name: 'Ada Lovelace is notified of failures' })
  expect(await isNotified.isChecked()).toBe(true)
  await isNotified.press(' ')
  await expect.poll(() => isNotified.isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Alerts off', exact: true }).waitFor()
  await bell().click()
  await page.getByText('you have no grant on it that notifies, and do not follow it').waitFor()
  await page.getByRole('button', { name: 'Follow this workspace' }).click()
  await page.getByRole('button', { name: 'Alerts on, but mail is not configured' }).waitFor()
  await page.keyboard.press('Escape')
})

test('a webhook is bound to a workspace, paused and unbound on the page of the workspace', async () => {
  await openTab(page, 'Workspace', 'Webhooks')
  await page.getByRole('button', { name: 'Bind a webhook' }).click()
  await page.getByRole('combobox', { name: 'Webhook' }).click()
  await page.getByRole('option', { name: '#ops' }).click()
  await page.getByRole('button', { name: 'Bind', exact: true }).click()
  const isOn = page.getByRole('switch', { name: '#ops is on' })
  await expect.poll(() => isOn.isChecked()).toBe(true)
  await isOn.press(' ')
  await expect.poll(() => isOn.isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Unbind #ops' }).click()
  await page.getByText('No webhook is bound to this workspace itself.').waitFor()
})
