import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { alertEvents, alertMessages, certificates, lostAgents } from '#db/schema/alerts.ts'
import { memberships, organizations } from '#db/schema/organizations.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { DAY_MS } from '#server/durations.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { openByLink, openTab, scrollsSideways, setUp } from '#test/support/browser/pages.ts'
import { untilIdle } from '#test/support/browser/requests.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createResult } from '#test/support/runs/results.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// What pages say about a lost agent, and about the certificates of a service.

let page: Page
const paths = { workspace: '', project: '', service: '', other: '', result: '' }

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  const { db, create } = database
  const [organization] = await db.select().from(organizations)
  const workspace = await create.workspace(organization as { id: string })
  const project = await create.project(workspace)
  const [oslo, porto] = [
    await create.agent({ slug: 'oslo', label: 'Oslo' }),
    await create.agent({ slug: 'porto', label: 'Porto' }),
  ]
  const service = await create.service(project, { name: 'Checkout', script: '', isActive: true })
  const other = await create.service(project, { name: 'Search', script: '', isActive: true })
  const { id: serviceId, organizationId } = service
  await db.insert(serviceAgents).values([
    { organizationId, serviceId, agentId: oslo.id },
    { organizationId, serviceId: other.id, agentId: porto.id },
  ])
  for (const [agent, seconds] of [
    [oslo, 720],
    [porto, -3_600],
  ] as const) {
    const heartbeatAt = sql`now() - make_interval(secs => ${seconds})`
    await db
      .insert(workers)
      .values({ id: uuidv7(), agentId: agent.id, poolId: uuidv7(), host: 'h', pid: 1, heartbeatAt })
  }
  await db.insert(lostAgents).values({ organizationId, agentId: oslo.id, lostAt: new Date() })
  const eventId = uuidv7()
  const agentPayload = { id: oslo.id, slug: 'oslo', label: 'Oslo' }
  await db.insert(alertEvents).values({
    ...{ id: eventId, organizationId, agentId: oslo.id, kind: 'agent.lost', notifiedAt: new Date() },
    payload: { agent: agentPayload, lastSeenAt: new Date().toISOString(), services: { total: 1, names: ['Checkout'] } },
  })
  const [owner] = await db.select().from(memberships)
  const settings = { kind: 'section' as const, group: null, resourceType: null, resourceName: null }
  await db.insert(alertMessages).values({
    ...{ id: uuidv7(), organizationId, eventId, channel: 'email', membershipId: owner?.id, heardThrough: [settings] },
    ...{ state: 'suppressed', reason: 'a silence' },
  })
  const certificate = (host: string, days: number) => ({
    ...{ serviceId, organizationId, host, subject: host, issuer: 'R11', seenAt: new Date() },
    notAfter: new Date(Date.now() + days * DAY_MS - 1_000),
  })
  await db
    .insert(certificates)
    .values([
      certificate('shop.example', 80),
      certificate('pay.example:8443', 5),
      certificate('static.example', 20),
      certificate('old.example', -2),
    ])
  const result = await createResult(db, service)
  paths.workspace = `/workspaces/${workspace.id}`
  paths.project = `/projects/${project.id}`
  paths.service = `/services/${serviceId}`
  paths.other = `/services/${other.id}`
  paths.result = `/services/${serviceId}/results/${result.id}`
})

describe('a lost agent', () => {
  test('is named on every page that shows its data, with its last heartbeat', async () => {
    const { workspace, project, service, result } = paths
    const follow = (path: string) => page.locator(`main a[href="${path}"]`).first().click()
    for (const [path, open] of [
      [result, () => page.goto(result)],
      [workspace, () => follow(workspace)],
      [project, () => follow(project)],
      [service, () => follow(service)],
      [`${service}/statistics`, () => openTab(page, 'Service', 'Statistics')],
      ['/agents', () => openByLink(page, '/agents')],
    ] as const) {
      await open()
      await page.waitForURL(`**${path}`)
      const notice = page.getByRole('alert').filter({ hasText: 'An agent is lost' })
      await notice.getByText(/Oslo sent its last heartbeat \d+ minutes ago\./).waitFor()
      expect(await notice.getByRole('link', { name: 'See all agents' }).count(), path).toBe(path === '/agents' ? 0 : 1)
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await scrollsSideways(page), path).toBe(false)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    const alerts = page.getByRole('list', { name: 'Alerts', exact: true })
    await alerts.getByText('Agent lost').waitFor()
    await alerts.getByText('Oslo is lost').waitFor()
    await alerts.getByText(/^Not sent/).waitFor()
    await alerts.getByText('a silence, through the permission to change settings').waitFor()
    expect(await page.getByRole('row', { name: /Oslo/ }).getByText('Lost').count()).toBe(1)
    expect(await page.getByRole('row', { name: /Porto/ }).getByText('Lost').count()).toBe(0)
  })

  test('is named on the wall', async () => {
    await page.goto('/?tv=1')
    await page.getByText('Lost agent: Oslo', { exact: true }).waitFor()
    expect(await scrollsSideways(page)).toBe(false)
  })

  test('is not named for a service that does not need it', async () => {
    await page.goto(paths.other)
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
    await page.getByText('No results yet.').waitFor()
    await untilIdle(page)
    expect(await page.getByText('An agent is lost').count()).toBe(0)
  })
})

test('the certificates of a service take no place without TLS', async () => {
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  expect(await page.getByRole('region', { name: 'Certificates' }).count()).toBe(0)
})

test('an agent is no longer named as lost after its return', async () => {
  await database.db.update(workers).set({ heartbeatAt: sql`now() + interval '1 hour'` })
  await page.goto(paths.service)
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor()
  await page.getByRole('region', { name: 'Certificates' }).waitFor()
  await untilIdle(page)
  expect(await page.getByText('An agent is lost').count()).toBe(0)
})

test('the certificates of a service are shown by expiry, with the days that are left', async () => {
  const rows = page.getByRole('region', { name: 'Certificates' }).getByRole('row')
  await rows.nth(4).waitFor()
  const shown: string[][] = []
  for (const row of (await rows.all()).slice(1)) {
    const [host = '', expiry = ''] = await row.getByRole('cell').allInnerTexts()
    shown.push([host, expiry.split('\n')[0]?.toLowerCase() ?? ''])
  }
  expect(shown).toEqual([
    ['old.example', 'expired'],
    ['pay.example:8443', '5 days'],
    ['static.example', '20 days'],
    ['shop.example', '80 days'],
  ])
})
