import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '#db/schema/credentials.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  OWNER,
  passwordField,
  rarelyDue,
  saveScript,
  scrollsSideways,
  setUp,
  textOf,
  writeScript,
} from '#test/support/browser/pages.ts'
import { untilIdle } from '#test/support/browser/requests.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// The editor of scripts, with a real worker for runs of drafts.

let target: HttpTarget
let page: Page

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"greeting":"Ahoy"}')
  })
})
afterAll(() => target.close())

const script = (path: string, status = 200) => `get("http://127.0.0.1:${target.port}${path}").expect(status: ${status})`
const serviceId = () => /services\/([0-9a-f-]{36})/.exec(page.url())?.[1] as string
const editorText = () => textOf(page.getByRole('textbox', { name: 'Script' }))

describe('the script editor', () => {
  test('marks problems and completes words while the script is written', async () => {
    page = await browser.open(web.url)
    await setUp(page, web)
    const { service } = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'API' })
    await rarelyDue(database.db)
    await page.goto(`${service}/script`)
    await writeScript(page, 'get("http://127.0.0.1/$s.nothing").expect(statuss: 200)')
    await page.locator('.cm-lintRange-error').first().waitFor()
    await page.getByRole('textbox', { name: 'Script' }).press('ControlOrMeta+a')
    await page.keyboard.type('get("http://127.0.0.1/").expect(total')
    await page.getByRole('option', { name: 'totalDelayMs' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('explains words and variables under the pointer', async () => {
    await writeScript(page, 'get("$s.base").expect(status: 200)')
    const editor = page.getByRole('textbox', { name: 'Script' })
    const hover = async (word: string, meaning: string) => {
      await editor.getByText(word).hover()
      await page.getByText(meaning).waitFor()
    }
    await hover('expect', 'Conditions that must hold. A failed one fails the run.')
    await hover('$s.base', 'No variable of this name exists yet.')
  })

  test('imports a curl command, with its credentials as variables', async () => {
    await writeScript(page, '')
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import requests' })
    await dialog.getByRole('textbox').fill(`curl ${target.url}/ -H 'Authorization: Bearer abc.def'`)
    await dialog.getByText('$s.token', { exact: true }).waitFor()
    await dialog.getByText('Without --fail, curl accepts any status.').waitFor()
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await editorText()).toContain('Bearer $s.token')
  })

  test('runs a draft that is not saved, and shows its result', async () => {
    await writeScript(page, script('/draft', 500))
    await page.getByRole('button', { name: 'Run draft' }).click()
    const result = page.getByRole('region', { name: 'Draft run' })
    await result.getByText('The run failed').waitFor({ timeout: 60_000 })
    await result.getByText('Ahoy').last().waitFor()
    await page.getByText('No script saved yet.').waitFor()
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await result.getByRole('button', { name: 'Close' }).click()
  })

  test('keeps unsaved text over a reload', async () => {
    await writeScript(page, script('/one'))
    await page.reload()
    await page.getByText('Unsaved changes from').waitFor()
    await page.getByRole('textbox', { name: 'Script' }).waitFor()
    expect(await editorText()).toBe(script('/one'))
  })

  test('asks for a sign-in over the page when the session has ended, and saves then', async () => {
    // Otherwise a query of the page may notice the end of the session before the click, and the dialog is in its way.
    let areQueriesRefused = true
    await page.route(/\/api\/trpc\//, (route) =>
      areQueriesRefused && route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.continue(),
    )
    await untilIdle(page)
    await database.db.delete(sessions)
    await page.getByRole('button', { name: 'Save script' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    areQueriesRefused = false
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog.getByRole('textbox', { name: 'Email' }).fill(OWNER.email)
    await passwordField(page).fill(OWNER.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Saved as version 2.').waitFor()
    expect(await editorText()).toBe(script('/one'))
  })

  test('lists versions with their changes, and restores one', async () => {
    await saveScript(page, serviceId(), script('/two'), 2)
    await page.getByRole('button', { name: 'Versions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Versions of the script' })
    await dialog.getByRole('button', { name: 'Compare version 3' }).click()
    await dialog.getByText(`-${script('/one')}`).waitFor()
    await dialog.getByText(`+${script('/two')}`).waitFor()
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog.getByRole('button', { name: 'Compare version 2' }).click()
    await dialog.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Saved as version 4.').waitFor()
    expect(await editorText()).toBe(script('/one'))
  })

  test('merges what someone else saved meanwhile into the editor', async () => {
    await writeScript(page, `${script('/one')}\n${script('/mine')}`)
    const theirs = `${script('/theirs')}\n${script('/one')}`
    await saveScript(page, serviceId(), theirs, 4)
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else has saved this script' })
    await page.getByRole('button', { name: 'Save script' }).click()
    await notice.getByText('Both versions changed different lines.').waitFor()
    expect(await accessibilityViolations(page, 'main [role="alert"]')).toEqual([])
    await notice.getByRole('button', { name: 'Merge into the editor' }).click()
    await notice.waitFor({ state: 'detached' })
    const lines = page.getByRole('textbox', { name: 'Script' }).locator('.cm-line')
    expect(await lines.allTextContents()).toEqual([script('/theirs'), script('/one'), script('/mine')])
    await page.getByRole('button', { name: 'Save script' }).click()
    await page.getByText('Saved as version 6.').waitFor()
  })
})
