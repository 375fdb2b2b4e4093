import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { accessibilityViolations } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { PASSWORD, setPassword } from '#test/support/browser/dashboard.ts'
import {
  isStartPage,
  OWNER,
  openByLink,
  operate,
  passwordField,
  scrollsSideways,
  setUp,
  signIn,
  signOut,
  startSession,
  untilLoaded,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

// With Chromium's own authenticator, at localhost: browsers allow no passkeys at 127.0.0.1.

const { database, web } = testInstallation()
const browser = testBrowser()
let page: Page

beforeAll(async () => {
  page = await browser.open(web.url.replace('127.0.0.1', 'localhost'))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await setUp(page, web)
})

const section = () => page.getByRole('region', { name: 'Passkeys' })
const dialog = () => page.getByRole('dialog')

test('a passkey is added on the account page, with recovery codes', async () => {
  await page.goto('/account')
  await section().getByText('You have no passkey yet.').waitFor()
  await section().getByRole('button', { name: 'Add a passkey' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Test laptop')
  await dialog().getByRole('textbox', { name: 'Your password' }).fill(OWNER.password)
  await dialog().getByRole('button', { name: 'Continue' }).click()
  await section().getByRole('list', { name: 'Recovery codes' }).waitFor()
  await section().getByRole('button', { name: 'I have saved the codes' }).click()
  await section().getByText('Test laptop', { exact: true }).waitFor()
  await section().getByText('not used yet').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('it signs in without the password, and after the password as second factor', async () => {
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await untilLoaded(page, isStartPage)
  await signOut(page)
  await signIn(page)
  // It comes before the recovery codes, and the keyboard is on it.
  const ask = page.getByRole('button', { name: 'Use a passkey' })
  await expect.poll(() => ask.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await page.getByRole('textbox', { name: 'Recovery code' }).count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).waitFor()
  await ask.click()
  await untilLoaded(page, isStartPage)
})

test('where passkeys do not work, an invitation asks their holder for a recovery code', async () => {
  const other = await database.create.organization()
  const host = await database.create.member(other, { isOwner: true })
  await setPassword(database.db, host.userId)
  const visitor = await browser.open(web.url)
  await startSession(visitor, { email: host.email, password: PASSWORD })
  const { url } = await operate<{ url: string }>(visitor, 'organization.members.invite', { email: OWNER.email })
  const link = new URL(url)
  await visitor.goto(link.pathname + link.hash)
  await visitor.getByLabel('Your name').fill(OWNER.name)
  await passwordField(visitor).fill(OWNER.password)
  await visitor.getByRole('button', { name: /^Join/ }).click()
  await visitor.getByText('One of your recovery codes.').waitFor()
  expect(await visitor.getByRole('button', { name: 'Use a passkey instead' }).count()).toBe(0)
})

test('it confirms changes, is renamed and removed, and then no longer signs in', async () => {
  await openByLink(page, '/account')
  await section()
    .getByText(/last used/)
    .waitFor()
  await section().getByRole('button', { name: 'Rename Test laptop' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Old laptop')
  await dialog().getByRole('button', { name: 'Rename' }).click()
  await section().getByRole('button', { name: 'Remove Old laptop' }).click()
  await dialog().getByRole('textbox', { name: 'Your password' }).fill(OWNER.password)
  await dialog().getByRole('button', { name: 'Use a passkey instead' }).click()
  await dialog().getByRole('button', { name: 'Confirmed with a passkey' }).waitFor()
  await dialog().getByRole('button', { name: 'Remove passkey' }).click()
  await section().getByText('You have no passkey yet.').waitFor()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('The passkey was not accepted').waitFor()
  await passwordField(page).waitFor()
})
