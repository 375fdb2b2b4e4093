import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { agents, services } from '#db/schema/resources.ts'
import { serviceAgentStates } from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  createServiceIn,
  openByLink,
  scrollsSideways,
  select,
  setUp,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// A new agent asks which services use it; its page shows what it may reach; one that fails alone is named.

let page: Page

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  const places = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Cart' })
  const projectId = places.project.slice('/projects/'.length)
  // The project is on the second page of the list.
  await database.db.execute(sql`
    insert into projects (id, organization_id, workspace_id, name, created_at)
    select gen_random_uuid(), organization_id, workspace_id, 'A' || i, now() - interval '1 day' from projects, generate_series(1, 100) i`)
  for (const name of ['Login', 'Pay', 'Search', 'Ship']) await createServiceIn(page, projectId, name)
})

async function fitsNarrow(): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 720 })
}

test('a new agent asks which services use it, and some are selected', async () => {
  await page.goto('/agents')
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Frankfurt')
  await page.getByRole('textbox', { name: 'Slug' }).fill('frankfurt')
  expect(await page.getByRole('radio', { name: 'None yet' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'Some services' }).check()
  expect(await page.getByRole('button', { name: 'Create agent' }).isDisabled()).toBe(true)
  await select(page, page.getByRole('combobox', { name: 'Workspace' }), 'Shop')
  await select(page, page.getByRole('combobox', { name: 'Project' }), 'Checkout')
  await select(page, page.getByRole('combobox', { name: 'Services' }), 'Cart')
  await page.keyboard.press('Escape')
  expect(await violationsInBothColorSchemes(page, '[role="dialog"]')).toEqual([])
  await fitsNarrow()
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByText('Added one service.').waitFor()
  await page.getByText(/AGENT_TOKEN=sla_/).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
})

test('the page of an agent shows what it may reach, and adds services', async () => {
  const [agent] = await database.db.select().from(agents).where(sql`slug = 'frankfurt'`)
  const allowedNetworks = ['10.20.0.0/16', 'fd00::/8']
  await database.db.update(agents).set({ allowedNetworks }).where(sql`slug = 'frankfurt'`)
  const process = { id: uuidv7(), agentId: agent?.id ?? '', poolId: '', host: 'gateway', pid: 0, staleSeconds: 3_600 }
  await database.db.insert(workers).values({ ...process, kind: 'agent', allowedNetworks })
  await page.getByRole('link', { name: 'Frankfurt' }).click()
  await page.getByText('Public addresses and 10.20.0.0/16, fd00::/8').first().waitFor()
  await page.getByRole('button', { name: 'Add services' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('radio', { name: 'None yet' }).count()).toBe(0)
  await select(page, dialog.getByRole('combobox', { name: 'Workspace' }), 'Shop')
  await select(page, dialog.getByRole('combobox', { name: 'Project' }), 'Checkout')
  await dialog.getByRole('button', { name: 'Add services' }).click()
  await page.getByText('Added 4 services.').waitFor()
  await page.getByText('5 services select this agent:').waitFor()
  expect(await accessibilityViolations(page, 'main')).toEqual([])
  await fitsNarrow()
})

test('an agent that alone fails what passes elsewhere is named on the board, the wall and the agents page', async () => {
  const { organizationId } = (await database.db.select().from(services))[0] as { organizationId: string }
  const oslo = await database.create.agent({ slug: 'oslo', organizationId })
  const [frankfurt] = await database.db.select().from(agents).where(sql`slug = 'frankfurt'`)
  await database.db.update(services).set({ script: 'get("https://example.com/")', isActive: true })
  for (const { id: serviceId } of await database.db.select().from(services)) {
    for (const [agent, status] of [
      [oslo, 'success'],
      [frankfurt, 'failure'],
    ] as const) {
      const at = sql`now() + interval '1 hour'`
      const seen = { organizationId, serviceId, agentId: agent?.id, agentSlug: agent?.slug, resultId: uuidv7() }
      const state = { status, startedAt: at, statusSince: at, serviceRuns: 1 }
      await database.db.insert(serviceAgentStates).values({ ...seen, ...state } as never)
    }
  }
  const text = 'Frankfurt alone fails 5 of 5 services that pass elsewhere. Look at its network.'
  for (const path of ['/', '/agents']) {
    await openByLink(page, path)
    const notice = page.getByRole('alert').filter({ hasText: 'An agent fails alone' })
    await notice.getByText(text).waitFor()
    await fitsNarrow()
  }
  expect(
    await page
      .getByRole('row', { name: /Frankfurt/ })
      .getByText('Fails alone')
      .count(),
  ).toBe(1)
  await page.getByRole('main').getByRole('link', { name: 'Frankfurt' }).first().click()
  await page.getByText('The agent fails alone').waitFor()
  await page.goto('/?tv=1')
  await page.getByText('Frankfurt alone fails 5 of 5 services', { exact: true }).waitFor()
  expect(await scrollsSideways(page)).toBe(false)
})
