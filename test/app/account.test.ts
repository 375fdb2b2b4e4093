import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { keyUsage } from '#db/schema/audit.ts'
import { users } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { hashPassword } from '#server/identity/auth/passwords.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createPlaces,
  isStartPage,
  OWNER,
  openByLink,
  passwordField,
  setUp,
  signIn,
  signOut,
  startSession,
  textOf,
  untilLoaded,
} from '#test/support/browser/pages.ts'
import { testDatabase } from '#test/support/database.ts'
import { webProcess } from '#test/support/processes/web-process.ts'
import { setState } from '#test/support/runs/results.ts'

const database = testDatabase()
// Mails are queued but never sent: no worker runs.
const web = webProcess(database.url, { SMTP_URL: 'smtp://127.0.0.1:1' })
const browser = testBrowser()

// All tests share one installation and two browsers, and each continues from the state that the previous test left.

const owner = { ...OWNER }
let page: Page
let other: Page
let recoveryCodes: string[] = []
let secret = ''

beforeAll(async () => {
  page = await browser.open(web.url)
  other = await browser.open(web.url)
})

describe('an empty installation', () => {
  test('redirects every page to set-up, which validates its form', async () => {
    for (const path of ['/sign-in', '/workspaces', '/account/keys']) {
      expect((await redirectOf(path)).pathname, path).toBe('/setup')
    }
    await page.goto('/')
    expect(new URL(page.url()).pathname).toBe('/setup')
    // Without the link, the page shows no form.
    await page.getByText('there is no account yet').waitFor()
    await page.goto('/setup#not-the-token')
    await page.getByText('This set-up link is not valid.').waitFor()
    expect(await page.getByLabel('Organization').count()).toBe(0)

    await page.goto(await web.setupPath())
    await page.getByLabel('Organization').waitFor()
    await page.getByLabel('Email').fill('not an address')
    await passwordField(page).fill('short')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByText('Required').first().waitFor()
    await page.getByText('Must be an email address').waitFor()
    await page.getByText('Must be at least 8 characters', { exact: true }).waitFor()

    await page.getByLabel('Organization').fill('Acme')
    await page.getByLabel('Email').fill(owner.email)
    await passwordField(page).fill('password1')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByText('Must not be one of the most common passwords').waitFor()
  })

  test('creates the first account, signs it in and closes set-up', async () => {
    await setUp(page, web, owner)
    expect((await redirectOf('/setup')).pathname).toBe('/services/new')
    const usedLink = await web.setupPath()
    // The page is at this address already.
    await page.goto('about:blank')
    await page.goto(usedLink)
    await page.waitForURL(isStartPage)
    expect(page.url()).not.toContain(String(usedLink.split('#')[1]))
    // As the reference does with the API key of its reader.
    await page.evaluate(() => window.sessionStorage.setItem('soundline-docs-key', 'a key'))
    await signOut(page)
    expect(await page.evaluate(() => window.sessionStorage.getItem('soundline-docs-key'))).toBe(null)
    await page.goto(usedLink)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(page.url()).not.toContain(String(usedLink.split('#')[1]))
  })
})

describe('sign-in', () => {
  test('reports a wrong password without details', async () => {
    await signIn(page, { email: owner.email, password: 'eleven green badgers' })
    await page.getByText('Wrong email or password.').waitFor()
    await passwordField(page).fill(owner.password)
    await page.keyboard.press('Enter')
    await untilLoaded(page, isStartPage)
  })

  test('returns to the requested page, and never to another site', async () => {
    await other.goto('/account/keys')
    expect(other.url()).toContain('/sign-in?next=%2Faccount%2Fkeys')
    await signIn(other, owner)
    await untilLoaded(other, '**/account/keys')

    for (const next of ['//evil.test/', 'https://evil.test/', '/\\evil.test']) {
      const { origin } = await redirectOf(`/sign-in?next=${encodeURIComponent(next)}`, other)
      expect(origin, next).toBe(web.url)
    }
  })

  test('an ended session redirects to sign-in', async () => {
    await other.context().clearCookies()
    // The page may notice by itself before the click.
    const isAtSignIn = expect.poll(() => other.url(), { timeout: 60_000 }).toMatch(/\/sign-in\?next=/)
    await Promise.any([other.getByRole('link', { name: 'Members' }).click(), isAtSignIn])
    await isAtSignIn
  })
})

describe('the account', () => {
  test('lists its sessions and ends all except the current one', async () => {
    await startSession(other, owner)
    await openByLink(page, '/account')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This browser').waitFor()
    await sessions.getByRole('button', { name: 'End all other sessions' }).click()
    await expect.poll(() => sessions.getByText('Chrome on Linux').count()).toBe(1)
    expect((await redirectOf('/account', other)).pathname).toBe('/sign-in')
  })

  test('changes its name and its password', async () => {
    await page.getByLabel('Your name').fill('Ada King')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Name saved.').waitFor()
    await page.getByRole('button', { name: 'Acme, account menu of Ada King' }).waitFor()

    const section = page.getByRole('region', { name: 'Password' })
    await section.getByRole('textbox', { name: 'Your password' }).fill('not this one')
    await section.getByRole('textbox', { name: 'New password' }).fill(`${owner.password} again`)
    await section.getByRole('button', { name: 'Change password' }).click()
    await section.getByText('Wrong password.').waitFor()
    await section.getByRole('textbox', { name: 'Your password' }).fill(owner.password)
    await section.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    owner.password = `${owner.password} again`
    await startSession(page, owner)
  })

  test('enrols a second factor with the QR code or the secret', async () => {
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(owner.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    secret = await textOf(page.getByLabel('Secret', { exact: true }))
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(0))
    await page.getByRole('button', { name: 'Switch on' }).click()
    const codes = page.getByRole('list', { name: 'Recovery codes' })
    await codes.waitFor()
    recoveryCodes = await codes.getByRole('listitem').allInnerTexts()
    expect(recoveryCodes.length).toBeGreaterThan(4)
    await page.getByRole('button', { name: 'I have saved the codes' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
  })

  test('confirms its address by a link whose token survives sign-in with a code', async () => {
    await page.getByText('You have not confirmed your address yet.').waitFor()
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByText(`We have sent a mail with a link to ${owner.email}.`).waitFor()
    const link = await linkTo(owner.email)
    await other.goto(link)
    expect(new URL(other.url()).pathname).toBe('/sign-in')
    await signIn(other, owner)
    // Enrolment used the current code, and the next one is already accepted.
    await other.getByRole('textbox', { name: 'Code' }).fill(codeAt(30))
    await other.getByRole('button', { name: 'Sign in' }).click()
    await untilLoaded(other, '**/account/confirm-email#*')
    await other.getByRole('button', { name: 'Confirm' }).click()
    await other.getByText(`${owner.email} is now the confirmed address of your account.`).waitFor()
  })

  test('changes its address by a link that is sent to the new one', async () => {
    const section = page.getByRole('region', { name: 'Email' })
    await section.getByRole('textbox', { name: 'New email' }).fill('ada.king@acme.test')
    await section.getByRole('textbox', { name: 'Your password' }).fill(owner.password)
    await section.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[2] as string)
    await section.getByRole('button', { name: 'Change email' }).click()
    await section.getByText('We have sent a mail with a link to ada.king@acme.test.').waitFor()
    await page.goto(await linkTo('ada.king@acme.test'))
    await page.getByText(`You are signed in as ${owner.email}.`).waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('ada.king@acme.test is now the confirmed address of your account.').waitFor()
    await page.getByText('You are signed in as ada.king@acme.test.').waitFor()
    owner.email = 'ada.king@acme.test'
    await openByLink(page, '/account')
    await section.getByText('Confirmed').waitFor()
  })
})

describe('API keys', () => {
  test('are created with the password and a code, shown once, and work', async () => {
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'API keys' }).click()
    await page.getByText('No keys yet').waitFor()
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Pipeline')
    await page.getByRole('radio', { name: 'Write' }).check()
    await page.getByRole('textbox', { name: 'Your password' }).fill('not this one')
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Wrong password.').waitFor()
    await page.getByRole('textbox', { name: 'Your password' }).fill(owner.password)
    await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[1] as string)
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await textOf(page.getByLabel('API key', { exact: true }))
    expect(key).toMatch(/^sl_[A-Za-z0-9_-]{43}$/)

    const answer = await fetch(`${web.url}/api/public/v1/key`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ name: 'Pipeline', access: 'write', prefix: key.slice(0, 11) })

    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${key.slice(0, 11)}…`).waitFor()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: 'Revoke Pipeline' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
    const refused = await fetch(`${web.url}/api/public/v1/key`, { headers: { authorization: `Bearer ${key}` } })
    expect(await refused.json()).toMatchObject({ error: 'api_key_revoked' })

    await expect.poll(() => database.db.$count(keyUsage), { timeout: 60_000 }).toBeGreaterThan(0)
    await openByLink(page, '/audit')
    await page.getByRole('tab', { name: 'API requests' }).click()
    await page
      .getByRole('cell', { name: /^Pipeline/ })
      .first()
      .waitFor()
  })
})

describe('a forgotten password', () => {
  test('is reset by a mailed link, and the second factor stays, for which a recovery code is taken', async () => {
    await signOut(page)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText(`If there is an account for ${owner.email}, we have sent a mail with a link to it.`).waitFor()
    const link = await linkTo(owner.email)
    await page.goto(link)
    await passwordField(page, 'New password').fill('three silver geese')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password changed.').waitFor()
    await page.getByRole('link', { name: 'Sign in with the new password' }).click()
    owner.password = 'three silver geese'
    await signIn(page, owner)
    await enterRecoveryCode(recoveryCodes[0])
    await untilLoaded(page, isStartPage)

    const asked: string[] = []
    other.on('request', (request) => asked.push(request.url()))
    await other.goto(link)
    await other.getByText('This link has expired or was already used.').waitFor()
    await other.getByRole('link', { name: 'Request a new link' }).waitFor()
    // Playwright reports the page's URL with its fragment, which browsers do not send.
    const addresses = asked.map((address) => address.split('#', 1)[0])
    expect(addresses).toContain(`${web.url}/api/trpc/auth.passwordReset`)
    expect(addresses.filter((address) => address?.includes(String(link.split('#')[1])))).toEqual([])
  })
})

describe('an invitation', () => {
  test('is mailed, and its link is not shown', async () => {
    await openByLink(page, '/members')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('grace@acme.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText('We have sent a mail with a link to grace@acme.test.').waitFor()
    expect(await page.getByLabel('Invitation link', { exact: true }).count()).toBe(0)

    // Someone else has created an account with this address and knows its password.
    await database.db.insert(users).values({
      id: uuidv7(),
      email: 'grace@acme.test',
      displayName: 'Squatter',
      passwordHash: await hashPassword('a password of theirs'),
    })
    await other.goto(await linkTo('grace@acme.test'))
    await other.getByLabel('Your name').fill('Grace Hopper')
    await passwordField(other).fill('seven amber foxes')
    await other.getByRole('button', { name: 'Join Acme' }).click()
    await other.getByText('The account with this address has a different password.').waitFor()
    await other.getByRole('checkbox', { name: 'Start over with the password above' }).check()
    await other.getByRole('button', { name: 'Join Acme' }).click()
    await other.waitForURL(isStartPage)
    await other.getByRole('button', { name: 'Acme, account menu of Grace Hopper' }).waitFor()
  })
})

describe('alerts', () => {
  test('go by mail to a member who follows the workspace, and the question about them offers that', async () => {
    const { workspace, service } = await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay' })
    await page.goto(workspace)
    await page.getByRole('button', { name: 'Alerts on: mail to you', exact: true }).click()
    const details = page.getByRole('dialog', { name: 'Alerts' })
    await details.getByText(`Mails go to ${owner.email}.`).waitFor()
    await details.getByText('No webhook is notified.').waitFor()
    await database.db.delete(grants)
    await page.keyboard.press('Escape')
    // The question comes after the first run that passed.
    const [row] = await database.db.select().from(services)
    await setState(database.db, row as typeof services.$inferSelect, { lastStatus: 'success', probesSuccess: 1 })
    await openByLink(page, '/')
    const asked = page.getByRole('region', { name: 'Where should alerts go?' })
    await asked.getByRole('button', { name: `Mail to ${owner.email}` }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('link', { name: 'Pay' }).first().click()
    await page.waitForURL(`**${service}`)
    await page.getByRole('button', { name: 'Alerts on: mail to you', exact: true }).waitFor()
  })
})

/** Returns the address that the server redirects a request to. */
async function redirectOf(path: string, visitor = page): Promise<URL> {
  return new URL((await visitor.request.get(path)).url())
}

async function enterRecoveryCode(code: string | undefined): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(String(code))
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Returns path and token of the link in the last mail to an address. */
async function linkTo(address: string): Promise<string> {
  const [mail] = await database.db.execute<{ text: string }>(sql`
    select payload->>'text' as text from graphile_worker._private_jobs
    where payload->>'to' = ${address} order by id desc limit 1`)
  const link = new URL(/http:\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  return link.pathname + link.hash
}

function codeAt(secondsFromNow: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + secondsFromNow * 1_000 })
}
