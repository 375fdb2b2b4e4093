import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { serviceStates } from '#db/schema/results.ts'
import { grants } from '#db/schema/scoped.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  OWNER,
  openByLink,
  openTab,
  type Places,
  scrollsSideways,
  setUp,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// Who is notified of a service: the bell, the notice, the preview, the settings and the list of alerts.

let page: Page
let owner: { id: string; organizationId: string }
let paths: Places

const serviceId = () => paths.service.split('/').at(-1) as string
const bell = () => page.getByRole('button', { name: /^Alerts (on|off|muted)/ })
const details = () => page.getByRole('dialog', { name: 'Alerts' })
const failures = () => page.getByRole('textbox', { name: 'Failed runs before an alert' })
const reminders = () => page.getByRole('textbox', { name: 'Minutes between reminders' })

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  paths = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay' })
  const [membership] = await database.db.select().from(memberships)
  owner = membership as typeof owner
})

describe('the bell', () => {
  test('says through what, on the page of a project and of a service', async () => {
    await page.goto(paths.project)
    for (const kind of ['project', 'service']) {
      await page.getByRole('button', { name: 'Alerts on, but mail is not configured', exact: true }).click()
      await details().getByText(`You are notified about this ${kind} through a grant on workspace Shop.`).waitFor()
      if (kind === 'service') continue
      await page.keyboard.press('Escape')
      await details().waitFor({ state: 'detached' })
      await page.getByRole('main').getByRole('link', { name: 'Pay', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Pay' }).waitFor()
    }
  })

  test('is opened, used and closed with the keyboard', async () => {
    expect(await violationsInBothColorSchemes(page, '[role="dialog"]')).toEqual([])
    await page.keyboard.press('Escape')
    await details().waitFor({ state: 'detached' })
    await bell().focus()
    await page.keyboard.press('Enter')
    await details().waitFor()
    await page.keyboard.press('Tab')
    await details().getByRole('button', { name: 'Follow this service' }).focus()
    await page.keyboard.press('Enter')
    await details().getByText('You are notified about this service through:').waitFor()
    const reasons = details().getByRole('listitem')
    expect(await reasons.allTextContents()).toEqual(['a grant on workspace Shop', 'following service Pay'])
    await page.keyboard.press('Escape')
    await details().waitFor({ state: 'detached' })
    expect(await bell().evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await details().getByRole('button', { name: 'Stop following' }).click()
    await details().getByText('You are notified about this service through a grant on workspace Shop.').waitFor()
    await page.keyboard.press('Escape')
    await details().waitFor({ state: 'detached' })
  })

  test('mutes, says until when, and unmutes', async () => {
    await bell().click()
    await details().getByRole('button', { name: '8 hours' }).click()
    await details()
      .getByText(/Muted by you until .*: you receive no mails\./)
      .waitFor()
    await page.getByRole('button', { name: 'Alerts muted' }).waitFor()
    await details().getByRole('button', { name: 'Unmute' }).click()
    await details().getByRole('button', { name: 'Until I unmute' }).waitFor()
    await page.getByRole('button', { name: 'Alerts on' }).waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('the settings of a service', () => {
  const save = () => page.getByRole('button', { name: 'Save alert settings' }).click()

  test('say when a failure is rechecked, refuse values out of bounds, and keep the others', async () => {
    await openTab(page, 'Service', 'Settings')
    const recheck = page.getByLabel('Seconds before a failure is rechecked')
    await expect.poll(() => recheck.inputValue()).toBe('10')
    expect(await page.getByLabel('Recheck scripts that write').isChecked()).toBe(false)
    expect(await page.getByLabel('Passing runs before a recovery').inputValue()).toBe('1')
    await failures().fill('')
    await recheck.fill('301')
    await save()
    await page.getByText('Must be an integer from 1 to 10').waitFor()
    await page.getByText(/must be an integer from 0 to 300/i).waitFor()
    await recheck.fill('5')
    await failures().fill('3')
    await reminders().fill('45')
    await page.getByRole('switch', { name: 'Alert on recovery' }).click({ force: true })
    await save()
    await page.getByText('Alert settings saved.').waitFor()
  })

  test('show beside the form who is told', async () => {
    const told = page.getByRole('region', { name: 'Who is notified of a failure' })
    await told.getByText('Mail is not configured, so alerts are not sent by mail.').waitFor()
    const members = told.getByRole('list', { name: 'Members who are notified' })
    await members.getByText('Ada Lovelace (you)').waitFor()
    await members.getByText(`Mail to ${OWNER.email}, through a grant on workspace Shop`).waitFor()
  })
})

describe('a failing service without a listener', () => {
  test('says so on its pages until someone follows it', async () => {
    await database.db.delete(grants)
    const state = { lastStatus: 'failure' as const, lastStatusSince: new Date(), lastRunAt: new Date() }
    const { organizationId } = owner
    await database.db.insert(serviceStates).values({ serviceId: serviceId(), organizationId, ...state })
    await page.goto(`${paths.service}/settings`)
    // The settings that were saved before are loaded.
    expect([await failures().inputValue(), await reminders().inputValue()]).toEqual(['3', '45'])
    expect(await page.getByLabel('Seconds before a failure is rechecked').inputValue()).toBe('5')
    expect(await page.getByRole('switch', { name: 'Alert on recovery' }).isChecked()).toBe(false)
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'This service is failing, and no alert recipient is set up' })
    await notice.getByText('The owner of the organization is notified instead.').waitFor()
    await page.getByRole('button', { name: 'Alerts off' }).waitFor()
    expect(await violationsInBothColorSchemes(page, 'main [role="alert"]')).toEqual([])
    await notice.getByRole('button', { name: 'Follow this service' }).click()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Alerts on' }).waitFor()
    await openByLink(page, '/silences')
    await page.getByRole('link', { name: 'Pay', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop following Pay' }).click()
    await page.getByText('You do not follow any resource yet.').waitFor()
    await page.goBack()
    await notice.waitFor()
  })
})

describe('the alerts of a service', () => {
  async function createEvents() {
    const { id: membershipId, organizationId } = owner
    const named = (name: string) => ({ id: uuidv7(), name })
    const names = { workspace: named('Shop'), project: named('Checkout'), service: named('Pay') }
    const summary = 'GET https://shop.example/cart: status 500, expected 200'
    const payload = { ...names, failure: { summary }, incident: { summary, downMs: 90_000 }, result: {} }
    const [failed, recovered, webhookId] = [uuidv7(), uuidv7(), uuidv7()]
    const event = { organizationId, serviceId: serviceId(), payload }
    const reason = 'alertOnRecovery is false'
    await database.db.insert(alertEvents).values([
      { ...event, id: failed, kind: 'service.failed', resultId: uuidv7(), notifiedAt: new Date() },
      { ...event, id: recovered, kind: 'service.recovered', suppressedReason: reason },
    ])
    await database.db.insert(alertMessages).values({
      ...{ id: uuidv7(), organizationId, eventId: failed, channel: 'email', membershipId, state: 'suppressed' },
      ...{ reason: 'quiet hours', silencedUntil: new Date('2999-01-31T06:00:00Z') },
      heardThrough: [{ kind: 'follow', group: null, resourceType: 'service', resourceName: 'Pay' }],
    })
    await database.db
      .insert(webhooks)
      .values({ id: webhookId, organizationId, name: 'Pager', sealed: Buffer.alloc(64) })
    await database.db.insert(webhookDeliveries).values({
      ...{ id: uuidv7(), organizationId, webhookId, eventId: failed, kind: 'service.failed', payload: {} },
      ...{ state: 'pending', attempts: 2, lastStatus: 503, lastError: 'the receiver responded with status 503' },
      nextAttemptAt: new Date('2999-01-31T06:00:00Z'),
    })
  }

  test('are listed with whom they were sent to, and to whom not and why', async () => {
    expect(await (await page.request.get(`${paths.service}/alerts`)).text()).toContain('No alerts yet.')
    await createEvents()
    await openTab(page, 'Service', 'Alerts')
    const list = page.getByRole('list', { name: 'Alerts' })
    await list.getByText('Not sent: alertOnRecovery is false.').waitFor()
    const messages = list.getByRole('list', { name: /^Messages of/ }).getByRole('listitem')
    const texts = await messages.allTextContents()
    expect(texts).toHaveLength(2)
    expect(texts[0]).toMatch(
      /Not sent.*Ada Lovelace \(.*@acme\.test\) quiet hours, until .*2999.*following service Pay/,
    )
    expect(texts[1]).toMatch(/Pending.*Webhook Pager the receiver responded.*2 attempts, next attempt .*2999/)
    await page.getByRole('heading', { name: 'Who is notified' }).waitFor()
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await scrollsSideways(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 720 })
    expect(await database.db.$count(grants, eq(grants.organizationId, owner.organizationId))).toBe(0)
  })
})
