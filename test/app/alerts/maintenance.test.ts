import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { maintenances } from '#db/schema/maintenances.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, openByLink, operate, type Places, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// Maintenances: the dialog, the banners and badges where one holds, the page, and the bell.

let page: Page
let paths: Places

const stored = () => database.db.select().from(maintenances)
const banner = () => page.getByRole('alert').filter({ hasText: 'Under maintenance until' })
const dialog = () => page.getByRole('dialog', { name: /^(Maintenance of|Mute) this/ })

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  paths = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay' })
})

describe('a maintenance', () => {
  test('is started on the page of a project, for so long, with a note', async () => {
    await page.goto(paths.project)
    await page.getByRole('button', { name: 'Start maintenance' }).click()
    await dialog().waitFor()
    expect(await accessibilityViolations(page, '[role="dialog"]')).toEqual([])
    await dialog().getByText('1 hour', { exact: true }).click()
    await dialog().getByRole('textbox', { name: 'Note' }).fill('deploy 42')
    await dialog().getByRole('button', { name: 'Start maintenance' }).click()
    await dialog().waitFor({ state: 'detached' })
    await banner().getByText('Started by Ada Lovelace: “deploy 42”.').waitFor()
    const [row] = await stored()
    expect(row).toMatchObject({ mode: 'mute', note: 'deploy 42', projectId: paths.project.split('/').at(-1) })
    expect(Number(row?.endsAt) - Number(row?.startsAt)).toBe(3_600_000)
  })

  test('shows where it holds: in the list of services, on the board and on the page of a service', async () => {
    await page.getByRole('row', { name: /Pay.*Maintenance/ }).waitFor()
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await banner().getByText('Runs of this service go on and count for nothing').waitFor()
    await openByLink(page, '/')
    await page.getByText('Maintenance', { exact: true }).and(page.locator('[class*="Badge"]')).first().waitFor()
  })

  test('is extended and ended on the page of maintenances', async () => {
    await openByLink(page, '/maintenance')
    const row = page.getByRole('row', { name: /Checkout.*On now.*Mute.*Ada Lovelace.*deploy 42/ })
    await row.waitFor()
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    const [before] = await stored()
    await row.getByRole('button', { name: 'Add 30 min to the maintenance of Checkout' }).click()
    await expect.poll(async () => Number((await stored())[0]?.endsAt)).toBe(Number(before?.endsAt) + 1_800_000)
    await row.getByRole('button', { name: 'End now: the maintenance of Checkout' }).click()
    await page.getByRole('row', { name: /Checkout.*Past.*ended by Ada Lovelace/ }).waitFor()
    await page.getByText('On now', { exact: true }).first().click()
    await page.getByText('No maintenances').waitFor()

    const planned = { projectId: paths.project.slice(10), timezone: 'Europe/Berlin' }
    const rule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=3;BYMINUTE=0/90'
    const { id } = await operate(page, 'maintenances.create', { ...planned, rule })
    await page.getByText('Next', { exact: true }).first().click()
    await page.getByText('Every 2 weeks on Sunday at 03:00, for 90 minutes (Europe/Berlin)').waitFor()
    await operate(page, 'maintenances.remove', { id })
  })

  test('mutes a service for everybody from its bell, and skips its runs', async () => {
    await page.goto(paths.service)
    await page.getByRole('button', { name: /^Alerts / }).click()
    await page.getByRole('button', { name: 'Mute for everybody' }).click()
    await dialog().getByRole('radio', { name: 'Skip' }).check()
    await dialog().getByRole('button', { name: 'Mute for everybody' }).click()
    await banner().getByText('No scheduled runs of this service start.').waitFor()
    expect(await stored()).toContainEqual(
      expect.objectContaining({ mode: 'skip', serviceId: paths.service.split('/').at(-1) }),
    )
  })
})
