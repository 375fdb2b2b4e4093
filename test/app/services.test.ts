import { readFile } from 'node:fs/promises'
import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { projects, services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { accessibilityViolations } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createProject,
  createService,
  createServiceIn,
  createWorkspace,
  openTab,
  operate,
  rarelyDue,
  saveScript,
  select,
  setUp,
  textOf,
  writeScript,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// From the first workspace to a result, with a real worker and a target whose response the tests choose.

let target: HttpTarget
/** The status that the target returns. 0 closes the connection, when `mayClose` is resolved. */
let status = 200
const mayClose = Promise.withResolvers<void>()
let page: Page

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => {
    if (status === 0) return void mayClose.promise.then(() => response.destroy())
    response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
    response.end(JSON.stringify({ ok: status === 200, greeting: 'Ahoy' }))
  })
})

afterAll(() => target.close())

const scriptOf = (path: string) =>
  [
    '// The shop answers, and says so.',
    `get("http://127.0.0.1:${target.port}${path}")`,
    '.expect(status: 200)',
    '.assert({ check: [this.body.ok eq true] })',
    '',
  ].join('\n')

const WINDOW = 'FREQ=DAILY;BYHOUR=3;BYMINUTE=30/30'

describe('a service', () => {
  test('is created after a workspace and a project', async () => {
    page = await browser.open(web.url)
    await setUp(page, web)
    await createWorkspace(page, 'Shop')
    await page.getByText('No projects yet').waitFor()
    await createProject(page, 'Checkout')
    await page.getByText('No services yet').waitFor()
    // In the header, and below the words that say what to do first.
    expect(await page.getByRole('main').getByRole('link', { name: 'New service' }).count()).toBe(2)
    await createService(page, 'Public API')
    await rarelyDue(database.db)
    await page.getByText('No script saved yet.').waitFor()
  })

  test('a script with an error is not saved, and the error is marked', async () => {
    await writeScript(page, `get("http://127.0.0.1:${target.port}/")\n.expect(status = 200)\n`)
    await page.getByRole('button', { name: 'Save script' }).click()
    await page.getByText('Not saved: 1 problem').waitFor()
    await page.getByText('comparisons are written').first().waitFor()
    await page.getByText('PARSE_ERROR').waitFor()
    await page.locator('.cm-lintRange-error', { hasText: /^=$/ }).waitFor()
    await page.getByRole('button', { name: 'Line 2' }).click()
    expect(await textOf(page.locator('.cm-activeLine'))).toBe('.expect(status = 200)')
  })

  test('a script with a blocked target is refused with a message', async () => {
    await writeScript(page, 'get("http://192.168.1.1/").expect(status: 200)')
    // The problem was one of the text before.
    await page.getByText('Not saved: 1 problem').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save script' }).click()
    await page.getByText('Services and webhooks may not send requests to this address').waitFor()
  })

  test('the corrected script is saved and switches the service on', async () => {
    await writeScript(page, scriptOf('/first'))
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Saved as version 2. The service is now switched on.').waitFor()
    expect(await page.getByRole('switch', { name: 'Public API is switched on' }).isChecked()).toBe(true)
    expect(await page.getByText('Not saved').count()).toBe(0)
  })

  test('a script that someone else saved meanwhile is overwritten after both are shown', async () => {
    await page.getByText('Version 2.', { exact: true }).waitFor()
    // An editor without changes follows what is saved.
    await writeScript(page, scriptOf('/health'))

    const theirs = `get("http://127.0.0.1:${target.port}/theirs").expect(status: 200)`
    const [, id = ''] = /services\/([0-9a-f-]{36})/.exec(page.url()) ?? []
    await saveScript(page, id, theirs, 2)

    await page.getByRole('button', { name: 'Save script' }).click()
    await page.getByText('Someone else has saved this script').waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Someone else has saved this script' })
      .getByText(/\/theirs/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Overwrite with my changes' }).click()
    await page.getByText('Saved as version 4.').waitFor()
    expect(await textOf(page.getByRole('textbox', { name: 'Script' }))).toBe(scriptOf('/health').replaceAll('\n', ''))
  })

  test('a requested run shows its result with all details', async () => {
    await openTab(page, 'Service', 'Results')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('link', { name: 'See the result' }).click({ timeout: 120_000 })
    await page.waitForURL(/\/results\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Step 1' }).waitFor()
    const step = page.getByRole('region', { name: 'Step 1' })
    await step.getByText(`http://127.0.0.1:${target.port}/health`).first().waitFor()
    await step.getByText('GET').first().waitFor()
    await page
      .getByRole('list', { name: 'Timeline of the run' })
      .getByRole('img', { name: /First byte/ })
      .waitFor()
    const assertions = step.getByRole('table', { name: 'Assertions' })
    expect(await assertions.getByText('Passed').count()).toBe(2)
    await assertions.getByText('status = 200').waitFor()

    await step.getByRole('button', { name: /Response headers/ }).click()
    await step.getByText('a=1').waitFor()
    await step.getByText('b=2').waitFor()
    await step.getByRole('button', { name: 'Response body' }).click()
    await step.getByText('"Ahoy"').waitFor()
    await page.getByRole('button', { name: 'Raw JSON' }).click()
    await page.getByText('"stepNum": 1').waitFor()
  })

  test('a failing target makes the service fail and shows the cause', async () => {
    status = 503
    await page.getByRole('link', { name: 'All results' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('Run failed', { exact: true }).waitFor({ timeout: 120_000 })
    const summary = `GET http://127.0.0.1:${target.port}/health: status 503, expected 200`
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText(summary).waitFor()
    await page.getByText('Failing', { exact: true }).first().waitFor()
    await page.getByRole('row').nth(1).getByText(summary).waitFor()
  })

  test('a closed connection is shown as a message', async () => {
    status = 0
    const state = page.getByRole('region', { name: 'State' })
    // The page asks for its run as soon as it has read the service again.
    const requested = page.waitForRequest((request) => request.url().includes('/services.runs.get?'))
    await page.getByRole('button', { name: 'Run now' }).click()
    await requested
    await page.getByText('Run failed', { exact: true }).waitFor({ state: 'detached' })
    // What the page asks for when the run is done.
    const isLate = Promise.withResolvers<void>()
    await page.route(/\/services\.get\?/, (route) => isLate.promise.then(() => route.continue()))
    // Chromium may have dropped the body of a response that came before.
    const textIn = (response: Response) => response.text().catch(() => '')
    const told = page.waitForResponse(
      async (response) => response.url().includes('/status.service?') && /the connection/.test(await textIn(response)),
    )
    mayClose.resolve()
    await page.getByText('Run failed', { exact: true }).waitFor({ timeout: 120_000 })
    await told
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    // The link still leads to the result before, and the cause is of the same one.
    expect(await state.textContent()).toContain('status 503')
    isLate.resolve()
    await state.getByText('the connection').waitFor()
    await page.unrouteAll()
    await page.getByRole('row').nth(1).getByRole('cell', { name: '–', exact: true }).waitFor()
    await state.getByRole('link', { name: 'See the result' }).click()
    await page.getByRole('region', { name: 'Step 1' }).waitFor()
    expect(await page.getByRole('button', { name: 'Response body' }).count()).toBe(0)
    const cause = page.getByRole('alert').filter({ hasText: 'The run failed' })
    await cause.getByRole('link', { name: 'Go to step 1' }).click()
    await page.waitForURL(/#step-1$/)
    await page.getByRole('link', { name: 'All results' }).click()
    status = 200
  })

  test('its results are downloaded as files', async () => {
    const rows = await database.db.select().from(results)
    const ids = rows.map(({ id }) => id).sort()
    const [{ serviceId } = { serviceId: '' }] = rows
    await page.getByRole('button', { name: 'Export' }).click()
    const csv = await download(page.getByRole('menuitem', { name: /CSV/ }))
    expect(csv.name).toBe(`results-${serviceId}.csv`)
    for (const id of ids) expect(csv.text).toContain(id)
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = (await download(page.getByRole('menuitem', { name: /NDJSON/ }))).text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(ids)
  })

  test('its statistics are shown', async () => {
    await openTab(page, 'Service', 'Statistics')
    await page.getByRole('group', { name: 'Response time over time' }).waitFor()
    await page.getByRole('group', { name: 'Runs over time' }).waitFor()
    await page
      .getByRole('cell', { name: /GET.*\/health/ })
      .first()
      .waitFor()
    await page.getByRole('cell', { name: 'status = 200' }).waitFor()
    await page.getByRole('table').last().getByText('1', { exact: true }).last().waitFor()
  })

  test('its settings are changed, and an invalid value is shown at its field', async () => {
    await openTab(page, 'Service', 'Settings')
    const expression = page.getByRole('textbox', { name: 'Cron expression' })
    await expression.fill('61 * * * *')
    await page.getByText('minute: "61" is not a value').first().waitFor()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.locator('[id$="-error"]').first().waitFor()
    const schedule = page.getByRole('group', { name: 'Schedule' })
    await select(page, schedule.getByRole('combobox', { name: 'Repeat' }), 'On days of the week')
    expect(await expression.inputValue()).toBe('0 6 * * *')
    await schedule.getByText(/^Every day at 06:00, next .*06:00 UTC$/).waitFor()
    await schedule.getByRole('combobox', { name: 'Timezone' }).fill('Berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await schedule.getByText(/^Every day at 06:00, next .*06:00 Berlin time$/).waitFor()
    const maintenance = page.getByRole('group', { name: 'Maintenance window' })
    await select(page, maintenance.getByRole('combobox', { name: 'Repeat' }), 'On days of the week')
    await maintenance.getByLabel('From').fill('03:30')
    await maintenance.getByText(/^Every day from 03:30 to 04:00, next /).waitFor()
    await page.getByRole('radio', { name: 'Run it next' }).check()
    await page.getByRole('combobox', { name: 'Labels' }).fill('critical')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved.').waitFor()
    const [saved] = await database.db.select().from(services).where(eq(services.name, 'Public API'))
    const schedules = { schedule: '0 6 * * *', timezone: 'Europe/Berlin', serviceWindow: WINDOW }
    expect(saved).toMatchObject({ ...schedules, labels: ['critical'] })
  })

  test('they are above its results, and in the form that is opened again', async () => {
    await openTab(page, 'Service', 'Results')
    await page.getByText(/^Every day at 06:00 Europe.Berlin/).waitFor()
    await openTab(page, 'Service', 'Settings')
    const form = page.getByRole('region', { name: 'Settings' })
    await form.getByText('critical', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Cron expression' }).inputValue()).toBe('0 6 * * *')
    const schedule = page.getByRole('group', { name: 'Schedule' })
    expect(await schedule.getByRole('combobox', { name: 'Timezone' }).inputValue()).toBe('Europe/Berlin')
    expect(await page.getByRole('textbox', { name: 'Recurrence rule' }).inputValue()).toBe(WINDOW)
    expect(await page.getByRole('radio', { name: 'Run it next' }).isChecked()).toBe(true)
  })

  test('it is switched off and on', async () => {
    const toggle = page.getByRole('switch', { name: 'Public API is switched on' })
    await toggle.press(' ')
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: 'Run now' }).isDisabled()).toBe(true)
    // A switch is disabled until its change is stored: a key pressed before is lost.
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    await toggle.press(' ')
    await expect.poll(() => toggle.isChecked()).toBe(true)
  })

  test('it is duplicated with its script, switched off', async () => {
    await page.getByRole('button', { name: 'Duplicate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Duplicate service' })
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Copy of Public API')
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { level: 1, name: 'Copy of Public API' }).waitFor()
    await page.getByRole('textbox', { name: 'Script' }).getByText('/health').waitFor()
    expect(await page.getByRole('switch', { name: 'Copy of Public API is switched on' }).isChecked()).toBe(false)
    await page.goBack()
  })

  test('it is deleted only after its name is typed, and the deletion is undone', async () => {
    await page.getByRole('button', { name: 'Delete service' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete service' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Public API')
    await dialog.getByRole('button', { name: 'Delete service' }).click()
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/)
    await page.getByText('Public API is deleted.').waitFor()
    const row = page.getByRole('link', { name: 'Public API', exact: true })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Public API is restored.').waitFor()
    await row.waitFor()
    await page.getByRole('group', { name: 'Runs by hour' }).waitFor()
    await page.getByText('7 days', { exact: true }).click()
  })
})

describe('bulk actions', () => {
  test('select services one by one or all', async () => {
    const projectId = page.url().slice(-36)
    await database.db.delete(services)
    for (const name of ['First', 'Second']) await createServiceIn(page, projectId, name)
    const third = await createServiceIn(page, projectId, 'Third')
    await saveScript(page, third.id, `get("http://127.0.0.1:${target.port}/").expect(status: 200)`)
    // Its script has switched it on.
    await page.locator('tr:not([data-state="paused"])', { hasText: 'Third' }).waitFor()
    await page.getByRole('link', { name: 'Public API' }).first().waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Second' }).check()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select all services on this page' }).check()
    await page.getByText('3 selected').waitFor()
  })

  test('switch on the services that can run, and list the others', async () => {
    await page.getByRole('button', { name: 'Switch on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Left out, is on already: Third').waitFor()
    await dialog.getByRole('button', { name: 'Switch 2 services on' }).click()
    await dialog.getByText('0 switched on, 1 unchanged, 2 skipped.').waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'First: it has no script yet.',
      'Second: it has no script yet.',
      'Third: unchanged.',
    ])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('selected').waitFor({ state: 'detached' })
  })

  test('move services to another project, unless a name is taken there', async () => {
    const [project] = await database.db.select().from(projects)
    const search = await operate(page, 'projects.create', { workspaceId: project?.workspaceId, name: 'Search' })
    await createServiceIn(page, search.id, 'First')
    for (const name of ['First', 'Second']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('button', { name: 'Move', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Workspace' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await dialog.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: 'Search' }).click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByText('1 moved, 0 unchanged, 1 skipped.').waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'First: this project already has a service with this name.',
      'Second: moved.',
    ])
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'detached' })
  })
})

test('the configuration of a project is downloaded as a file', async () => {
  await page.getByRole('button', { name: 'More actions for this project' }).click()
  const { text } = await download(page.getByRole('menuitem', { name: 'Export configuration' }))
  const names = [{ name: 'First' }, { name: 'Third' }]
  expect(JSON.parse(text).project).toMatchObject({ name: 'Checkout', services: names })
})

describe('what is deleted', () => {
  test('goes after the number of services is typed', async () => {
    await page.getByRole('checkbox', { name: 'Select all services on this page' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('2')
    await page.getByRole('button', { name: 'Delete 2 services' }).click()
    await dialog.getByText('2 deleted, 0 unchanged.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('No services yet').waitFor()
  })

  test('a project is restored by Undo', async () => {
    await page.getByRole('button', { name: 'More actions for this project' }).click()
    await page.getByRole('menuitem', { name: 'Delete project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Checkout')
    await dialog.getByRole('button', { name: 'Delete project' }).click()
    await page.getByText('Checkout is deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Checkout is restored.').waitFor()
    await page.getByRole('link', { name: 'Checkout' }).waitFor()
  })

  test('is restored or deleted for good under Recently deleted', async () => {
    await page.getByRole('link', { name: 'Recently deleted' }).click()
    await page.getByRole('heading', { level: 1, name: 'Recently deleted' }).waitFor()
    await page.getByRole('button', { name: 'Restore First' }).click()
    await page.getByText('First is restored.').waitFor()
    await page.getByRole('button', { name: 'Restore First' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete permanently: Third' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
    await dialog.getByRole('textbox').fill('Third')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByRole('button', { name: 'Restore Third' }).waitFor({ state: 'detached' })
  })

  test('is not in the configuration of the workspace, which is downloaded as a file', async () => {
    await page.goBack()
    await page.getByRole('button', { name: 'More actions for this workspace' }).click()
    const { name, text } = await download(page.getByRole('menuitem', { name: 'Export configuration' }))
    expect(name).toMatch(/^workspace-.*\.json$/)
    const { workspace } = JSON.parse(text)
    expect(workspace.name).toBe('Shop')
    expect(workspace.projects).toHaveLength(2)
    expect(workspace.projects).toContainEqual(
      expect.objectContaining({ name: 'Checkout', services: [expect.objectContaining({ name: 'First' })] }),
    )
  })
})

/** Clicks and returns the file that the browser gets. */
async function download(link: Locator): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
