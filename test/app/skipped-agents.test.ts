import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { agents, serviceAgents, services } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, operate, rarelyDue, saveScript, setUp } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// A run on two named agents of which one is dead, with a real worker for the other.

const REASON = 'the agent frankfurt was not connected'

let target: HttpTarget
let page: Page
let service: typeof services.$inferSelect

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.end('{}'))
  page = await browser.open(web.url)
  await setUp(page, web)
  const places = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Cart' })
  await rarelyDue(database.db)
  const id = places.service.slice('/services/'.length)
  await saveScript(page, id, `get("http://127.0.0.1:${target.port}/").expect(status: 200)`)
  service = (await database.db
    .update(services)
    .set({ probeMode: 'simultaneous' })
    .where(eq(services.id, id))
    .returning()
    .then((rows) => rows[0])) as typeof service
  await database.create.agent({ slug: 'frankfurt' })
  const { organizationId } = service
  const named = await database.db.select().from(agents)
  await database.db
    .insert(serviceAgents)
    .values(named.map((agent) => ({ organizationId, serviceId: id, agentId: agent.id })))
  await page.goto(places.service)
})
afterAll(() => target.close())

/** Lets the part of the dead agent end now: it waits for 20 seconds. */
async function hurry(): Promise<void> {
  const ofService = eq(runs.serviceId, service.id)
  await until('the part of the other agent', async () => {
    const rows = await database.db.select().from(runs).where(ofService)
    return rows.some(({ state }) => state === 'queued') && rows.some(({ attempt }) => attempt > 0)
  })
  await database.db.update(runs).set({ createdAt: sql`now() - interval '31 seconds'` }).where(ofService)
}

test('a run that passed without one of its agents says so, with the reason', async () => {
  await page.getByRole('button', { name: 'Run now' }).click()
  await hurry()
  await page.getByText('Run passed, but not on all agents').waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'See the run' }).click()
  await page.getByRole('alert').filter({ hasText: 'Not executed on all agents' }).getByText(REASON).waitFor()
  const part = page.getByRole('row').filter({ hasText: 'Skipped' })
  expect(await part.textContent()).toContain(REASON)
  await part.getByRole('link').click()
  await page.getByText(`Not executed: ${REASON}. A skipped run counts neither as passed nor as failed.`).waitFor()
})

test('so does a batch, which has not passed', async () => {
  const { id } = await operate(page, 'projects.run', { id: service.projectId })
  await hurry()
  await page.goto(`/batches/${id}`)
  await page.getByText('1 of 1, 1 of them not on all agents').waitFor({ timeout: 60_000 })
  await page.getByText(REASON).waitFor()
  // Not `skipped`: the page counts none.
  expect(await page.locator('[data-status="incomplete"]').textContent()).toBe('Incomplete')
  expect(await page.locator('[data-status="skipped"]').count()).toBe(0)
})
