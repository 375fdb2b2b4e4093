import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHOICE_COOKIE } from '#app/client/zone-choice.ts'
import { eq } from '#db/drizzle.cjs'
import { agentKeys } from '#db/schema/agents.ts'
import { domains, organizations } from '#db/schema/organizations.ts'
import { agentHours, agents, services } from '#db/schema/resources.ts'
import { workers as processRows } from '#db/schema/runs.ts'
import { silences } from '#db/schema/scoped.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  isStartPage,
  openByLink,
  operate,
  rarelyDue,
  setUp,
  textOf,
  untilLoaded,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { createStore, forgetStore } from '#test/support/runs/results.ts'
import { testWorker } from '#test/support/runs/test-workers.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, web } = testInstallation()
testWorker(database.url)
const browser = testBrowser()

// What an owner does on the pages of an organization.

let owner: Page
let receiver: HttpTarget
const received: { url: string; headers: Record<string, unknown>; body: string }[] = []

beforeAll(async () => {
  receiver = await startHttpTarget(async (request, response) => {
    const { url = '', headers } = request
    received.push({ url, headers, body: (await readAll(request)).toString() })
    if (url.startsWith('/pager')) response.writeHead(202).end('{"status": "success", "message": "Event processed"}')
    else response.writeHead(204).end()
  })
  owner = await browser.open(web.url)
  await setUp(owner, web)
  await createPlaces(owner, { workspace: 'Shop', project: 'Checkout', service: 'Public API' })
  const [organization] = await database.db.select().from(organizations)
  await database.create.member(organization as { id: string }, { displayName: 'Grace Hopper' })
  await rarelyDue(database.db)
})

afterAll(() => receiver.close())

test('a member gets permissions, and is disabled', async () => {
  await owner.goto('/members')
  await owner.getByRole('button', { name: 'More actions for Grace Hopper' }).click()
  await owner.getByRole('menuitem', { name: 'Permissions' }).click()
  await owner
    .getByRole('radiogroup', { name: /^Users/ })
    .getByText('Read')
    .click()
  await owner
    .getByRole('radiogroup', { name: /^Workspaces/ })
    .getByText('Read')
    .click()
  await owner.getByRole('button', { name: 'Save permissions' }).click()
  await owner.getByText('Users read').waitFor()
  await owner.getByText('Workspaces read').waitFor()
  await owner.getByRole('button', { name: 'More actions for Grace Hopper' }).click()
  await owner.getByRole('menuitem', { name: 'Disable' }).click()
  await owner.getByText('Disabled').waitFor()
})

describe('groups', () => {
  test('are created, get permissions and members, and are deleted after their name is typed', async () => {
    await openByLink(owner, '/groups')
    await owner.getByRole('button', { name: 'New group' }).click()
    await owner.getByRole('textbox', { name: 'Name' }).fill('On call')
    await owner
      .getByRole('radiogroup', { name: /^Webhooks/ })
      .getByText('Write')
      .click()
    await owner.getByRole('button', { name: 'Create group' }).click()
    await owner.getByRole('link', { name: 'On call' }).click()
    await owner.getByRole('region', { name: 'Permissions' }).getByText('Webhooks write').waitFor()
    await owner.getByRole('combobox', { name: 'Add a member' }).click()
    await owner.getByRole('option', { name: /Grace Hopper/ }).click()
    await owner.getByRole('button', { name: 'Add', exact: true }).click()
    await owner.getByRole('button', { name: 'Remove Grace Hopper' }).waitFor()
    await owner.getByRole('button', { name: 'Delete' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByRole('textbox').fill('On call')
    await dialog.getByRole('button', { name: 'Delete group' }).click()
    await owner.waitForURL('**/groups')
    await owner.getByRole('link', { name: 'Admins' }).waitFor()
    expect(await owner.getByRole('link', { name: 'On call' }).count()).toBe(0)
  })
})

describe('body stores', () => {
  test('a former store is forgotten after confirmation', async () => {
    const id = await createStore(database.db, 'https://minio.example/bodies')
    // It was forgotten, and has been used since.
    const usedId = await createStore(database.db, 'https://minio.example/used')
    const [organization] = await database.db.select().from(organizations)
    await forgetStore(database.db, organization?.id ?? '', usedId, new Date(Date.now() - DAY_MS))
    await openByLink(owner, '/body-stores')
    const labelOf = (storeId: string) => `Bucket ${storeId.slice(-6)}`
    const label = labelOf(id)
    const row = owner.getByRole('row').filter({ hasText: label })
    await row.getByText('Former').waitFor()
    await row.getByRole('button', { name: `Forget ${label}` }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Forget store' }).click()
    await row.getByText('forgotten').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await owner.getByRole('button', { name: `Forget ${labelOf(usedId)}` }).waitFor()
  })
})

describe('variables', () => {
  test('are created, secrets masked and configuration shown, changed and deleted', async () => {
    const base = { key: 'base_url', value: 'https://api.example.com' }
    await operate(owner, 'variables.organization.create', base)
    await openByLink(owner, '/variables')
    for (const [key, type, value] of [
      ['token', 'Secret', 'swordfish'],
      ['visits', 'Metric', '41'],
    ] as const) {
      await owner.getByRole('button', { name: 'New variable' }).click()
      await owner.getByRole('textbox', { name: 'Key' }).fill(key)
      const hosts = owner.getByRole('textbox', { name: 'Allowed hosts' })
      if (type === 'Metric') {
        // An invalid value in a hidden field does not block the form.
        await owner.getByRole('radio', { name: 'Secret', exact: true }).check()
        await hosts.fill('https://api.example.com')
      }
      await owner.getByRole('radio', { name: type, exact: true }).check()
      await owner.getByRole('textbox', { name: 'Value' }).fill(value)
      if (type === 'Secret') await hosts.fill('API.example.com\n*.example.net:8443')
      else expect(await hosts.count()).toBe(0)
      await owner.getByRole('button', { name: 'Create variable' }).click()
      await owner.getByRole('cell').getByText(`$o.${key}`).waitFor()
      await owner.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(await owner.getByText('41', { exact: true }).count()).toBe(1)
    expect(await owner.content()).not.toContain('swordfish')
    await owner.getByRole('cell', { name: 'https://api.example.com', exact: true }).waitFor()

    await owner.getByText('May be sent to api.example.com, *.example.net:8443 only').waitFor()
    await owner.getByRole('button', { name: 'Allowed hosts of token' }).click()
    await owner.getByRole('textbox', { name: 'Allowed hosts' }).fill('https://api.example.com')
    await owner.getByRole('button', { name: 'Save hosts' }).click()
    await owner.getByText('“https://api.example.com” must be a host such as').waitFor()
    await owner.getByRole('textbox', { name: 'Allowed hosts' }).fill('')
    await owner.getByRole('button', { name: 'Save hosts' }).click()
    await owner.getByText('May be sent to any host').waitFor()

    const script = 'get("https://api.example.com/$o.token").expect(status: 200)'
    const [service] = await database.db.update(services).set({ script }).returning({ id: services.id })
    await owner.getByRole('button', { name: 'Services that use token' }).click()
    const user = owner.getByRole('dialog').getByRole('link', { name: 'Public API' })
    expect(await user.getAttribute('href')).toBe(`/services/${service?.id}/script`)
    await database.db.update(services).set({ script: null })
    await owner.keyboard.press('Escape')

    await owner.getByRole('button', { name: 'Change visits' }).click()
    await owner.getByRole('textbox', { name: 'Value' }).fill('42')
    await owner.getByRole('button', { name: 'Save value' }).click()
    // The dialog, which shows the same text, closes a little later.
    await owner.getByRole('cell').getByText('42', { exact: true }).waitFor()
    await owner.getByRole('button', { name: 'Delete visits' }).click()
    await owner.getByRole('button', { name: 'Delete variable' }).click()
    await owner.getByText('$o.visits').waitFor({ state: 'detached' })
  })
})

describe('webhooks', () => {
  test('are created, show their secret once, and send a signed test message', async () => {
    await openByLink(owner, '/webhooks')
    await owner.getByRole('button', { name: 'New webhook' }).first().click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Chat')
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://192.168.1.1/hook')
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('no header')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('Write one header per line').waitFor()
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('X-Team: ops')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog
      .getByText(/192\.168\.1\.1|blocked|private/)
      .first()
      .waitFor()
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${receiver.port}/hook`)
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await textOf(owner.getByLabel('Signing secret', { exact: true }))
    expect(secret).toMatch(/^whsec_/)
    await owner.getByRole('button', { name: 'Done' }).click()
    await owner.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    await owner.getByRole('cell', { name: 'The whole organization Acme' }).waitFor()

    await owner.getByRole('button', { name: 'Send a test' }).click()
    await owner.getByText('Delivered').waitFor({ timeout: 120_000 })
    expect(received[0]?.headers).toMatchObject({ 'x-team': 'ops', 'webhook-signature': expect.stringMatching(/^v1,/) })
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' })
    expect(await owner.content()).not.toContain(secret)
  })

  test('list every attempt, and name the service and the incident of a message, with links', async () => {
    const [service] = await database.db.select().from(services).where(eq(services.name, 'Public API'))
    const [webhook] = await database.db.select().from(webhooks).where(eq(webhooks.name, 'Chat'))
    if (!service || !webhook) throw new Error('the service or the webhook is missing')
    const incident = await createIncident(database.db, service, { summary: 'GET https://shop.example/: status 500' })
    const event = await createIncidentEvent(database.db, incident)
    await database.db.insert(webhookDeliveries).values({
      ...{ id: uuidv7(), organizationId: service.organizationId, webhookId: webhook.id, eventId: event.id },
      ...{ kind: event.kind, payload: {}, state: 'failed', lastError: 'the receiver cannot be reached' },
    })
    await owner.getByRole('button', { name: /^Send again/ }).click()
    await expect.poll(() => received.length, { timeout: 120_000 }).toBe(2)
    const answers = owner.getByText('The response has no readable body.')
    await expect.poll(() => answers.count(), { timeout: 120_000 }).toBe(2)
    const row = owner.getByRole('row').filter({ hasText: 'service.failed' })
    await row.getByRole('link', { name: 'Public API' }).waitFor()
    expect(await row.getByRole('link', { name: incident.summary }).getAttribute('href')).toBe(
      `/incidents/${incident.id}`,
    )
  })

  test('get another secret, and say until when the previous one signs too', async () => {
    const section = owner.getByRole('region', { name: 'Signing secret' })
    await section.getByRole('button', { name: 'Create a new secret' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click()
    expect(await textOf(section.getByLabel('Signing secret', { exact: true }))).toMatch(/^whsec_/)
    await section.getByText(/messages are signed with the previous secret too/).waitFor()
  })

  test('of a preset ask only for what the service needs, and show what it responded to a test', async () => {
    await openByLink(owner, '/webhooks')
    await owner.getByRole('row', { name: /^Chat .*The whole organization Acme/ }).waitFor()
    await owner.getByRole('button', { name: 'New webhook' }).first().click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await owner.getByRole('option', { name: 'PagerDuty' }).click()
    await dialog.getByRole('textbox', { name: 'Integration key' }).waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Webhook URL' }).count()).toBe(0)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Pager')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('Is required').waitFor()
    const key = 'R0'.padEnd(32, 'k')
    await dialog.getByRole('textbox', { name: 'Integration key' }).fill(key)
    await dialog.getByRole('textbox', { name: 'API address' }).fill(`http://127.0.0.1:${receiver.port}/pager`)
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await owner.getByRole('button', { name: 'Done' }).click()
    await owner.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    await owner.getByRole('region', { name: 'Settings' }).getByRole('textbox', { name: 'Name' }).waitFor()
    expect(await owner.getByRole('region', { name: 'Signing secret' }).count()).toBe(0)

    await owner.getByRole('button', { name: 'Send a test' }).click()
    await owner.getByRole('region', { name: 'Body of the response' }).getByText('Event processed').waitFor()
    const sent = received.find(({ url }) => url === '/pager/v2/enqueue')
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ routing_key: key, event_action: 'trigger' })
    await owner.getByRole('region', { name: 'Body that was sent' }).getByText('soundline-test').waitFor()
    expect(await owner.content()).not.toContain(key)

    // Another host does not get the stored key.
    const settings = owner.getByRole('region', { name: 'Settings' })
    await settings.getByRole('textbox', { name: 'API address' }).fill('https://proxy.example/pager')
    const save = settings.getByRole('button', { name: 'Save webhook' })
    await save.click()
    await settings.getByText('Is required').waitFor()
    await settings.getByRole('textbox', { name: 'Integration key' }).fill(key)
    await save.click()
    await owner.getByText('Webhook saved.').waitFor()
  })
})

describe('silences', () => {
  test('are created for a project or as quiet hours, changed and deleted', async () => {
    // Its end is on the clocks of the dashboard, not on those of the browser.
    await database.db.update(organizations).set({ timezone: 'Asia/Kolkata' })
    await owner.context().addCookies([{ name: CHOICE_COOKIE, value: 'organization', url: web.url }])
    await owner.goto('/silences')
    await owner.getByRole('button', { name: 'New silence' }).first().click()
    await owner.getByRole('combobox', { name: 'Resource' }).fill('check')
    await owner.getByRole('option', { name: 'Checkout Project in Shop' }).click()
    await owner.getByRole('checkbox', { name: 'Recoveries' }).uncheck()
    await owner.getByRole('button', { name: 'Create silence' }).click()
    await owner.getByRole('cell', { name: /Checkout.*Failures/ }).waitFor()

    await owner.getByRole('button', { name: 'New silence' }).click()
    await owner.getByRole('radio', { name: 'Quiet hours' }).check()
    await owner.getByText(/^Every day from 22:00 to 07:00, next /).waitFor()
    await owner.getByRole('textbox', { name: 'Recurrence rule' }).fill('FREQ=DAILY;BYHOUR=23;BYMINUTE=0/540')
    await owner.getByRole('button', { name: 'Create silence' }).click()
    await owner.getByRole('cell', { name: 'Every day from 23:00 to 08:00' }).waitFor()

    await owner.getByRole('button', { name: 'Change the silence of Checkout' }).click()
    const dialog = owner.getByRole('dialog')
    expect(await dialog.getByRole('checkbox', { name: 'Recoveries' }).isChecked()).toBe(false)
    expect(await dialog.getByRole('radio', { name: 'Quiet hours' }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'All channels' }).check()
    await dialog.getByLabel('Until (Kolkata time)').fill('2026-01-31T18:30')
    await dialog.getByRole('button', { name: 'Save silence' }).click()
    await dialog.getByText('This time has passed.').waitFor()
    await dialog.getByLabel('Until (Kolkata time)').fill('2999-02-01T05:30')
    await dialog.getByRole('button', { name: 'Save silence' }).click()
    await owner.getByRole('row', { name: /All channels.*Checkout.*until .*2999/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const ends = (await database.db.select().from(silences)).map(({ config }) => JSON.parse(config ?? '{}').until)
    expect(ends).toContain('2999-02-01T00:00:00.000Z')
    await owner.context().clearCookies({ name: CHOICE_COOKIE })
    await database.db.update(organizations).set({ timezone: 'UTC' })
    await owner.getByRole('button', { name: 'Delete the silence of Checkout' }).click()
    await owner.getByRole('button', { name: 'Delete silence' }).click()
    await owner.getByRole('cell', { name: /^Checkout/ }).waitFor({ state: 'detached' })
  })
})

describe('the rest of the organization', () => {
  test('a domain is added and shows the DNS record that verifies it', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
    for (const domain of ['missing.example', 'lapsed.example']) {
      await operate(owner, 'organization.domains.add', { domain })
    }
    // The record of one has been missing for five days, that of the other for longer.
    const seen = { lastSeenAt: ago(119), lastCheckedAt: ago(1) }
    await database.db.update(domains).set(seen)
    await database.db
      .update(domains)
      .set({ verifiedAt: ago(500) })
      .where(eq(domains.domain, 'missing.example'))
    await openByLink(owner, '/domains')
    await owner.getByRole('button', { name: 'Add domain' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Add a domain' })
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('not a domain')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByText('must be a domain name such as example.com').waitFor()
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('example.com')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    const card = owner.getByRole('region', { name: 'example.com' })
    await card.getByText('Not verified').waitFor()
    expect(await textOf(card.getByLabel('Record name', { exact: true }))).toContain('example.com')

    const missing = owner.getByRole('region', { name: 'missing.example' })
    await missing.getByText(/If the record stays missing, the verification lapses in 2 days/).waitFor()
    await missing.getByLabel('Record value', { exact: true }).waitFor()
    const lapsed = owner.getByRole('region', { name: 'lapsed.example' })
    await lapsed.getByText('Lapsed', { exact: true }).waitFor()
  })

  test('a remote agent is enrolled, and connects', async () => {
    await openByLink(owner, '/agents')
    await owner.getByText('1 live').waitFor()
    await owner.getByRole('button', { name: 'New agent' }).click()
    await owner.getByRole('textbox', { name: 'Label' }).fill('Frankfurt')
    await owner.getByRole('textbox', { name: 'Slug' }).fill('fra-1')
    await owner.getByRole('button', { name: 'Create agent' }).click()
    await owner.getByText('Waiting for the agent…').waitFor()
    await owner.getByText(/AGENT_TOKEN=sla_/).waitFor()
    await owner.getByText(/^Expires in 1\d:\d\d$/).waitFor()
    const [agent] = await database.db.select().from(agents).where(eq(agents.slug, 'fra-1'))
    const agentId = agent?.id ?? ''
    const process = { id: uuidv7(), agentId, poolId: '', host: 'gateway-7', pid: 0, kind: 'agent' as const }
    const load = { slots: 200, busy: 12, cpu: 0.07, latenessMs: 3, clockOffsetMs: -1_400, staleSeconds: 3_600 }
    await database.db.insert(processRows).values({ ...process, ...load, version: '0.4.50', address: '203.0.113.7' })
    const day = (days: number) => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * DAY_MS)
    await database.db.insert(agentHours).values(
      Array.from({ length: 20 }, (_, days) => ({
        ...{ agentId, hour: day(days), aliveSeconds: 3_600, slotsMax: 200, busyMax: 40 + days, cpuMax: 0.2 },
        ...{ latenessMaxMs: 5, runs: 600, countedUntil: new Date() },
      })),
    )
    const key = { id: uuidv7(), agentId, publicKey: Buffer.alloc(32, 7), name: 'gateway-9' }
    await database.db.insert(agentKeys).values({ ...key, createdBy: uuidv7() })
    await owner.getByText('Connected: gateway-7').waitFor()
    await owner.getByRole('button', { name: 'Done' }).click()
    await owner
      .getByRole('row', { name: /Frankfurt/ })
      .getByText('12 of 200')
      .waitFor()
  })

  test('the key of a former member is shown for revocation', async () => {
    await owner
      .getByRole('row', { name: /Frankfurt/ })
      .getByText('1 key to revoke')
      .waitFor()
    await owner.getByRole('link', { name: 'Frankfurt' }).click()
    await owner.getByText('This member is no longer active: revoke the key.').waitFor()
    await owner.getByRole('button', { name: 'Revoke the key of gateway-9' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await owner.getByText('This member is no longer active: revoke the key.').waitFor({ state: 'detached' })
  })

  test('it is renamed, switched off and removed', async () => {
    await owner.getByRole('heading', { name: 'Last 30 days' }).waitFor()
    await owner.getByText('1.40 s behind').first().waitFor()
    const action = async (name: string) => {
      await owner.getByRole('button', { name: 'More actions for this agent' }).click()
      await owner.getByRole('menuitem', { name }).click()
    }
    await action('Rename')
    await owner.getByRole('textbox', { name: 'Label' }).fill('Head office')
    await owner.getByRole('textbox', { name: 'Slug' }).fill('head')
    await owner.getByRole('button', { name: 'Rename' }).click()
    await owner.getByRole('heading', { name: 'Head office' }).waitFor()
    await owner.waitForURL('**/agents/head')
    await action('Switch off')
    await owner.getByRole('dialog').getByText('No service selects this agent.').waitFor()
    await owner.getByRole('button', { name: 'Switch off' }).click()
    await owner.getByText('Off', { exact: true }).waitFor()
    await action('Remove')
    await owner.getByRole('button', { name: 'Remove agent' }).click()
    await owner.getByRole('heading', { name: 'Agents' }).waitFor()
    await owner.getByRole('row', { name: /local/ }).waitFor()
    expect(await owner.getByRole('row', { name: /Head office/ }).count()).toBe(0)
  })

  test('the settings are changed', async () => {
    await openByLink(owner, '/organization')
    await owner.getByRole('textbox', { name: 'Name' }).fill('Acme Limited')
    await owner.getByRole('combobox', { name: 'Timezone' }).fill('Berlin')
    await owner.getByRole('option', { name: 'Europe/Berlin' }).click()
    await owner.getByRole('button', { name: 'Save settings' }).click()
    await owner.getByText('Settings saved.').waitFor()
    await owner
      .getByRole('button', { name: /account menu/ })
      .getByText('Acme Limited')
      .waitFor()
  })

  test('another organization is created and switched to, and the menu switches back', async () => {
    await owner.getByRole('button', { name: /account menu/ }).click()
    await owner.getByRole('menuitem', { name: 'New organization' }).click()
    await owner.waitForURL('**/organization/new')
    await owner.getByRole('button', { name: 'Create organization' }).waitFor()
    await owner.getByRole('textbox', { name: 'Name' }).fill('Second')
    await owner.getByRole('button', { name: 'Create organization' }).click()
    await untilLoaded(owner, isStartPage)
    await owner
      .getByRole('button', { name: /account menu/ })
      .getByText('Second')
      .waitFor()
    const service = owner.getByRole('main').getByRole('link', { name: 'Public API' })
    expect(await service.count()).toBe(0)
    await owner.getByRole('button', { name: /account menu/ }).click()
    await owner.getByRole('menuitem', { name: 'Acme Limited' }).click()
    await service.first().waitFor()
    await owner
      .getByRole('button', { name: /account menu/ })
      .getByText('Acme Limited')
      .waitFor()
    await untilLoaded(owner, isStartPage)
  })

  test('members without a required second factor can open only their account page', async () => {
    await openByLink(owner, '/organization')
    await owner.getByRole('switch', { name: 'Require two-factor authentication' }).press(' ')
    await owner.getByRole('button', { name: 'Save settings' }).click()
    await owner.getByText('requires two-factor authentication').waitFor()
    await owner.goto('/account')
    await owner.getByRole('button', { name: 'Set up' }).waitFor()
    expect(await owner.getByRole('region', { name: 'Password' }).count()).toBe(0)
  })
})
