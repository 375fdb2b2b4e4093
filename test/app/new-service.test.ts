// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { openByLink, openTab, scrollsSideways, setUp, writeScript } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A new service on one page of an empty installation, with a real worker and a real target.

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()
const TOKEN = 'abc.def'
/** The part of the form with the steps. The others are judged once. */
const REQUEST = 'form section:first-of-type'

let target: HttpTarget
let page: Page
/** What the target got: method, path and authorization. */
const received: string[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    if (request.url === '/broken') response.writeHead(500, { 'content-type': 'text/html' }).end('<title>Oops</title>')
    else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title>')
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"state": "ok", "order": {"id": "A-77"}}')
  })
})
afterAll(() => target.close())

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const urlOf = (step: number) => page.getByRole('region', { name: `Step ${step}`, exact: true }).getByLabel('URL')
const answered = (locator: Locator) => locator.waitFor({ timeout: 120_000 })

/** Waits for the page of the new service and its first green run. */
async function untilGreen(): Promise<string> {
  await page.waitForURL(/\/services\/[0-9a-f-]{36}$/)
  await answered(page.locator('section[aria-label="State"][data-state="passing"]'))
  return page.url().slice(-36)
}

async function scriptOf(id: string): Promise<string> {
  const [row] = await database.db.select().from(services).where(eq(services.id, id))
  return row?.script ?? ''
}

test('from a URL to the first green run are two clicks', async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  await page.goto('/services/new')
  await page.getByLabel('URL').fill(`  ${url('/')} `)
  await button('Test').click()
  await answered(page.getByRole('checkbox', { name: 'The body contains “Shop”', checked: true }))
  await page.getByRole('checkbox', { name: /^The content type/, checked: false }).waitFor()
  await page.getByText('<title>Shop</title>').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('127.0.0.1')
  expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
  await button('Create service').click()
  expect(await scriptOf(await untilGreen())).toContain('includes("Shop", this.body)')
})

test('a target that answers 500 is warned of, and its status is not expected', async () => {
  await openByLink(page, '/services/new')
  await page.getByLabel('URL').fill(url('/broken'))
  await page.getByLabel('URL').press('Enter')
  await answered(page.getByText('The target answers 500 now: the service will fail until it answers'))
  await page.getByRole('checkbox', { name: 'The status is below 400', checked: true }).waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(1)
  await page.getByLabel('URL').fill('http://10.0.0.1/')
  await page.getByText('The request has changed since the test.').waitFor()
  await button('Test').click()
  await page.getByText('may not send requests to this address').waitFor()
})

test('a curl command fills in the request, and one click takes its token out of the script', async () => {
  await page.goto('/services/new')
  // What was entered before is still there.
  await button('Start anew').click()
  const address = url('/orders?tenant=')
  await page.getByLabel('URL').fill(`curl -L "${address}$TENANT" -H 'Authorization: Bearer ${TOKEN}' --json '{"a":1}'`)
  await page.getByLabel('URL').press('Tab')
  await page.getByText('A secret is in the script').waitFor()
  expect(await page.getByLabel('URL').inputValue()).toBe(`${address}\${$s.TENANT}`)
  await page.getByRole('tab', { name: 'Body: JSON' }).click()
  expect(await page.getByLabel('Request body').inputValue()).toContain('"a": 1')
  await page.getByRole('tab', { name: 'Authentication: token' }).click()
  expect(await accessibilityViolations(page, REQUEST)).toEqual([])
  await button('Make it a secret variable').click()
  await page.getByText('becomes a secret variable of the service').waitFor()
  // A variable of the shell needs a value.
  await button('Test').click()
  await page.getByText('Enter the value', { exact: true }).waitFor()
  await page.getByLabel('Value of $s.TENANT').fill('seven')
  await button('Test').click()
  await answered(page.getByRole('checkbox', { name: 'The field state is "ok"', checked: true }))
  expect(received).toContain(`POST /orders?tenant=seven Bearer ${TOKEN}`)

  // A reload keeps everything but the secret, and the browser asks before it.
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.accept()
    return dialog.type()
  })
  await page.reload()
  expect(await asked).toBe('beforeunload')
  await page.getByText('This is what you had entered before.').waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(TOKEN)
  await button('Create service').click()
  await page.getByLabel('Value of $s.token').fill(TOKEN)
  await page.getByLabel('Value of $s.TENANT').fill('eight')
  for (const label of ['shop', 'critical']) {
    await page.getByRole('combobox', { name: 'Labels' }).fill(label)
    await page.keyboard.press('Enter')
  }
  await button('Create service').click()
  const id = await untilGreen()
  const script = await scriptOf(id)
  expect(script).toContain('"Authorization": "Bearer $s.token"')
  expect(script).not.toContain(TOKEN)
  expect(received).toContain(`POST /orders?tenant=eight Bearer ${TOKEN}`)
  const [row] = await database.db.select().from(services).where(eq(services.id, id))
  expect(row?.labels).toEqual(['shop', 'critical'])
})

test('the next service starts in the last project', async () => {
  await openByLink(page, '/services/new')
  await page.getByText('You hear of failures.').waitFor()
  const project = page.getByRole('combobox', { name: 'Project' }).or(page.getByRole('textbox', { name: 'Project' }))
  await expect.poll(() => project.first().inputValue()).toBe('Services')
})

test('a step takes a value of the answer before it', async () => {
  await page.getByLabel('URL').fill(url('/orders'))
  await button('Test').click()
  await answered(button('Use in later steps: order.id'))
  await button('Use in later steps: order.id').click()
  await button('Add a step').click()
  await urlOf(2).fill(url('/${$$id}/items'))
  await button('Duplicate step 2').click()
  await urlOf(3).fill(url('/last'))
  await button('Move step 3 up').click()
  await button('Remove step 2').click()
  await button('Test').first().click()
  await answered(page.getByRole('region', { name: 'Answer to step 2' }).getByText('200'))
  expect(received).toContain('GET /A-77/items')
  expect(await accessibilityViolations(page, 'section[aria-label="Step 2"]')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Two steps')
  await button('Create service').click()
  await page.waitForURL(/\/services\/[0-9a-f-]{36}$/)
  const id = page.url().slice(-36)
  expect(await scriptOf(id)).toContain('.store({ "$$id": this.body.order.id })')

  // The script page of the service shows the same steps.
  await openTab(page, 'Service', 'Script')
  await page.getByText('Builder', { exact: true }).click()
  await urlOf(2).fill(url('/${$$id}/other'))
  await page.getByText('You have unsaved changes.').waitFor()
  await button('Save script').click()
  await page.getByText('Version 3.', { exact: true }).waitFor()
  expect(await scriptOf(id)).toContain('/${$$id}/other')
})

test('the script can be written instead, and a limit names the way out', async () => {
  await openByLink(page, '/services/new')
  await button('Show script').click()
  await writeScript(page, `// Four calls.\n${'get("https://status.example.net/").expect(status: 200)\n'.repeat(4)}`)
  await page.getByText('Line 1: it has a comment.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Four calls')
  await button('Create service').click()
  const limit =
    'status.example.net is not verified: at most three calls. Verify it under Domains, or the operator sets TRUSTED_DOMAIN_MODE.'
  await page.getByText(limit).waitFor()
  expect(await page.getByRole('link', { name: 'Verify a domain' }).getAttribute('href')).toBe('/domains')
  await writeScript(page, `get("${url('/')}").expect(status: 200)`)
  // The steps follow the script.
  await page.waitForFunction(
    (wanted) => document.querySelector<HTMLInputElement>('input[inputmode="url"]')?.value === wanted,
    url('/'),
  )
})
