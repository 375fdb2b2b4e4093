import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { services } from '#db/schema/resources.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createResult } from '#test/support/runs/results.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

async function download(page: Page, link: Locator): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('results and configurations are downloaded as files', async () => {
  const page = await browser.open(web.url)
  await setUp(page, web)
  const paths = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Public API' })
  const [row] = await database.db.select().from(services)
  if (!row) throw new Error('no service')
  const result = await createResult(database.db, row)

  await page.goto(paths.service)
  await page.getByRole('button', { name: 'Export' }).click()
  const csv = await download(page, page.getByRole('menuitem', { name: /CSV/ }))
  expect(csv.name).toBe(`results-${row.id}.csv`)
  expect(csv.text.split('\r\n')[1]).toContain(result.id)
  await page.getByRole('button', { name: 'Export' }).click()
  const lines = await download(page, page.getByRole('menuitem', { name: /NDJSON/ }))
  expect(JSON.parse(lines.text)).toMatchObject({ id: result.id, serviceId: row.id })

  await page.getByRole('link', { name: 'Checkout', exact: true }).first().click()
  await page.waitForURL(`**${paths.project}`)
  await page.getByRole('button', { name: 'More actions for this project' }).click()
  const project = await download(page, page.getByRole('menuitem', { name: 'Export configuration' }))
  expect(JSON.parse(project.text).project).toMatchObject({ name: 'Checkout', services: [{ name: 'Public API' }] })

  await page.getByRole('link', { name: 'Shop', exact: true }).first().click()
  await page.waitForURL(`**${paths.workspace}`)
  await page.getByRole('button', { name: 'More actions for this workspace' }).click()
  const workspace = await download(page, page.getByRole('menuitem', { name: 'Export configuration' }))
  expect(workspace.name).toMatch(/^workspace-.*\.json$/)
  expect(JSON.parse(workspace.text).workspace).toMatchObject({ name: 'Shop', projects: [{ name: 'Checkout' }] })
})
