import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { memberships, organizations } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { PASSWORD, setPassword } from '#test/support/browser/dashboard.ts'
import {
  createPlaces,
  isStartPage,
  openByLink,
  openTab,
  operate,
  type Places,
  passwordField,
  scrollsSideways,
  setUp,
  startSession,
  textOf,
  untilLoaded,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

// Who reaches what: an owner invites a viewer, who first reaches nothing and then one project.

const { database, web } = testInstallation()
const browser = testBrowser()
let owner: Page
let viewer: Page
let paths: Places
let groupId: string
let viewerId: string

beforeAll(async () => {
  owner = await browser.open(web.url)
  await setUp(owner, web)
  paths = await createPlaces(owner, { workspace: 'Shop', project: 'Checkout', service: 'Public API' })
  groupId = (await operate(owner, 'organization.groups.create', { name: 'Night shift', permissions: {} })).id
})

/** Clicks and counts, so that a journey can say how many clicks it takes. */
function clicker() {
  let count = 0
  return {
    click: async (place: Locator) => {
      count++
      await place.click()
    },
    count: () => count,
  }
}

/** Looks at the page as a phone and as a wide window. */
async function isFit(page: Page, of = 'main'): Promise<void> {
  expect(await accessibilityViolations(page, of)).toEqual([])
  await fitsPhone(page)
}

async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function joinBy(link: URL, name: string, click: (button: Locator) => Promise<void>): Promise<Page> {
  const page = await browser.open(web.url)
  await page.goto(link.pathname + link.hash)
  await page.getByLabel('Your name').fill(name)
  await passwordField(page).fill('seven amber foxes')
  await click(page.getByRole('button', { name: 'Join Acme' }))
  await untilLoaded(page, isStartPage)
  return page
}

test('from Invite until the invited person sees a service: five clicks, by a link that works once', async () => {
  const { click, count } = clicker()
  await owner.goto('/members')
  await click(owner.getByRole('button', { name: 'Invite' }))
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('eve@acme.test')
  await click(dialog.getByRole('combobox', { name: 'Places' }))
  await click(owner.getByRole('option', { name: 'Checkout Project in Shop' }))
  await dialog.getByRole('group', { name: 'Checkout' }).getByRole('combobox', { name: 'Role in Checkout' }).waitFor()
  await isFit(owner, '[role="dialog"]')
  await click(dialog.getByRole('button', { name: 'Invite', exact: true }))
  const link = new URL(await textOf(owner.getByLabel('Invitation link', { exact: true })))
  await owner.getByText('eve@acme.test').waitFor()
  const eve = await joinBy(link, 'Eve', click)
  await eve.getByRole('link', { name: 'Public API' }).first().waitFor()
  expect(count()).toBe(5)
  await owner.getByRole('button', { name: 'Done' }).click()
  await owner.getByRole('link', { name: 'Eve' }).waitFor()
  await eve.context().clearCookies()
  await eve.goto('about:blank')
  await eve.goto(link.pathname + link.hash)
  await eve.getByText('This invitation has ended. Ask for a new one.').waitFor()
  viewer = eve
})

/** The links of pages for which a member needs a permission. */
const HIDDEN = [
  'Members',
  'Groups',
  'Variables',
  'Webhooks',
  'Domains',
  'Agents',
  'Body stores',
  'Audit log',
  'Settings',
]

test('a viewer without access reads whom to ask, and is offered nothing that is refused', async () => {
  const [organization] = await database.db.select().from(organizations)
  const vic = await database.create.member(organization as { id: string }, { displayName: 'Vic' })
  viewerId = vic.userId
  await setPassword(database.db, viewerId)
  await startSession(viewer, { email: vic.email, password: PASSWORD })
  const ofVic = eq(memberships.userId, viewerId)
  await database.db.update(memberships).set({ settings: 2, users: 1 }).where(ofVic)
  await viewer.goto('/agents')
  await viewer.getByText('Only the owner and members with write permission on workspaces can add agents.').waitFor()
  expect(await viewer.getByRole('button', { name: 'New agent' }).count()).toBe(0)
  const link = (name: string) => viewer.getByRole('link', { name, exact: true })
  expect([await link('Members').count(), await link('Audit log').count(), await link('Domains').count()]).toEqual([
    1, 1, 0,
  ])
  await database.db.update(memberships).set({ settings: 0, users: 0 }).where(ofVic)
  await viewer.goto('/members')
  await viewer.getByText('You do not have the permission for this.').first().waitFor()
  // It would be refused again.
  expect(await viewer.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  for (const name of HIDDEN) expect(await link(name).count(), name).toBe(0)
  await openByLink(viewer, '/')
  const people = viewer.getByRole('list', { name: 'People who can give you access' })
  await viewer.getByText('You see no services yet').waitFor()
  expect(await people.getByRole('link').getAttribute('href')).toBe('mailto:ada@acme.test')
  expect(await textOf(people)).toBe('Ada Lovelace, ada@acme.test (owner)')
  const offers = viewer.locator('main').getByRole('button').or(viewer.locator('main a[href*="new"]'))
  expect(await offers.filter({ hasText: /New|Create|Grant|Invite|Start/ }).count()).toBe(0)
  await isFit(viewer)
  await viewer.keyboard.press('Control+k')
  await viewer.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await viewer.getByRole('option', { name: 'New service' }).count()).toBe(0)
  await viewer.keyboard.press('Escape')
  for (const path of ['/workspaces', '/maintenance']) {
    await openByLink(viewer, path)
    await viewer.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    expect(await offers.filter({ hasText: /New|Create|Grant|Invite|Start/ }).count(), path).toBe(0)
  }
  await viewer.goto('/services/new')
  await viewer.getByText('You cannot create services').waitFor()
  await people.getByText('ada@acme.test').waitFor()
})

test('the page of a group lists its grants, and who may write on a place adds and changes them', async () => {
  await operate(owner, 'organization.groups.addMember', { groupId, userId: viewerId })
  await owner.goto(`/groups/${groupId}`)
  const access = owner.getByRole('region', { name: 'Access' })
  await access.getByText('This group has no grants.').waitFor()
  await access.getByRole('button', { name: 'Grant access' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Workspace, project or service' }).fill('check')
  await owner.getByRole('option', { name: 'Checkout Project in Shop' }).click()
  await dialog.getByRole('button', { name: 'Grant access' }).click()
  await access.getByRole('link', { name: 'Checkout' }).waitFor()
  const isNotified = access.getByRole('switch', { name: 'Notified of failures in Checkout' })
  await isNotified.press(' ')
  await expect.poll(() => isNotified.isChecked()).toBe(false)
  await isFit(owner)
  expect(await database.db.select().from(grants).where(eq(grants.groupId, groupId))).toMatchObject([
    { level: 1, notify: false },
  ])
})

test('a reader of one project is offered nothing that is refused', async () => {
  await openByLink(viewer, '/')
  await viewer.getByRole('link', { name: 'Public API' }).first().waitFor()
  const offers = viewer.locator('main').getByRole('button').or(viewer.locator('main a[href*="new"]'))
  const refusing = offers.filter({
    hasText: /New|Create|Grant|Invite|Start|Run now|Save|Delete|Acknowledge|Rename|Switch/,
  })
  const main = viewer.getByRole('main')
  await openByLink(viewer, '/workspaces')
  for (const [path, open] of [
    [paths.workspace, () => main.getByRole('link', { name: 'Shop' }).click()],
    [paths.project, () => main.getByRole('link', { name: 'Checkout' }).click()],
    [`${paths.project}/variables`, () => openTab(viewer, 'Project', 'Variables')],
    [paths.service, () => viewer.goto(paths.service)],
    [`${paths.service}/settings`, () => openTab(viewer, 'Service', 'Settings')],
  ] as const) {
    await open()
    await viewer.waitForURL(`**${path}`)
    await viewer.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    expect(await refusing.allTextContents(), path).toEqual([])
    expect(await viewer.getByRole('link', { name: 'Access', exact: true }).count(), path).toBe(0)
    const isRead = path === paths.project
    // They see only the name of the workspace.
    if (isRead || path === paths.workspace)
      expect(await viewer.getByRole('link', { name: 'Export configuration' }).count(), path).toBe(isRead ? 1 : 0)
    if (path === paths.service) {
      expect(await main.getByRole('switch').count()).toBe(0)
      await viewer.getByText('Off', { exact: true }).waitFor()
    }
  }
  expect(await viewer.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
})

test('with write access to a workspace they are offered the actions that it allows', async () => {
  await owner.goto(`${paths.workspace}/access`)
  await owner.getByRole('button', { name: 'Grant access' }).click()
  await owner.getByRole('combobox', { name: 'Member or group' }).click()
  await owner.getByRole('option', { name: /^Vic/ }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Grant access' }).click()
  await owner.getByRole('cell', { name: /^Vic/ }).waitFor()
  const level = owner.getByRole('combobox', { name: 'Level of Vic' })
  await level.selectOption('Write')
  await expect.poll(() => level.inputValue()).toBe('2')
  const local = eq(agents.slug, 'local')
  await database.db.update(agents).set({ isActive: false }).where(local)
  await viewer.reload()
  await viewer.getByRole('button', { name: 'Save settings' }).waitFor()
  await viewer.getByRole('button', { name: 'Run now' }).waitFor()
  await viewer.getByText('No shared agent is active, so no agent runs this service').waitFor()
  await database.db.update(agents).set({ isActive: true }).where(local)
  await viewer.close()
})

test('the page of a member says what they reach and why, and takes an own grant away', async () => {
  await openByLink(owner, '/members')
  await owner.getByRole('searchbox', { name: 'Search members' }).fill('vic')
  await owner.getByRole('link', { name: 'Eve' }).waitFor({ state: 'detached' })
  await owner.getByRole('link', { name: 'Vic', exact: true }).click()
  const access = owner.getByRole('region', { name: 'Access' })
  await access.getByRole('row', { name: /Checkout Project in Shop/ }).waitFor()
  expect(await access.getByRole('row', { name: /Checkout Project in Shop/ }).textContent()).toMatch(
    /WriteBy the group Night shift: readOwn grant on the workspace Shop: write, notified/,
  )
  await owner.getByRole('region', { name: 'Permissions' }).getByText('No permissions.').waitFor()
  // It has the colors of all pages here.
  expect(await violationsInBothColorSchemes(owner, 'main')).toEqual([])
  await fitsPhone(owner)
  await access.getByRole('button', { name: 'Remove the grant on Shop' }).click()
  await access.getByRole('row', { name: /^Shop/ }).waitFor({ state: 'detached' })
  await access.getByRole('row', { name: /Checkout.*Read.*By the group Night shift: read/ }).waitFor()
  await access.getByRole('link', { name: 'Night shift' }).click()
  await owner.waitForURL(`**/groups/${groupId}`)
  const member = await database.db.select().from(memberships).where(eq(memberships.userId, viewerId))
  expect(
    await database.db
      .select()
      .from(grants)
      .where(eq(grants.membershipId, String(member[0]?.id))),
  ).toEqual([])
})

test('the variables of a service are its own, with alert settings apart and in their own form', async () => {
  const id = paths.service.slice(10)
  for (const [key, type, value] of [
    ['base', 'variable', 'https://shop.example/api'],
    ['password', 'secret', 'swordfish'],
  ]) {
    await operate(owner, 'variables.service.create', { id, key, type, value })
  }
  await owner.goto(`${paths.service}/variables`)
  const own = owner.getByRole('region', { name: 'Service: Public API' })
  const rows = own.getByRole('table').first().getByRole('row')
  expect(await rows.nth(1).textContent()).toContain('$s.base')
  await own.getByRole('cell', { name: 'https://shop.example/api' }).waitFor()
  expect(await owner.content()).not.toContain('swordfish')
  expect(await rows.filter({ hasText: 'confirmFailures' }).count()).toBe(0)
  for (const width of [1440, 390]) {
    await owner.setViewportSize({ width, height: 900 })
    const cut = await own
      .getByText(/^(Variable|Secret)$/)
      .evaluateAll((badges) => badges.filter((one) => one.scrollWidth > one.clientWidth).length)
    expect(cut, `badges at ${width}`).toBe(0)
  }
  await own.getByRole('button', { name: 'Change base' }).click()
  const dialog = owner.getByRole('dialog')
  expect(await dialog.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('https://shop.example/api')
  await owner.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await isFit(owner)
  const list = owner.getByRole('region', { name: 'Alert settings' })
  await list.getByRole('row', { name: /\$s\.confirmFailures 1/ }).waitFor()
  await list.getByRole('link', { name: 'Change them in the settings' }).click()
  await owner.waitForURL('**/settings#alerting')
  const form = owner.getByRole('region', { name: 'Alerting' })
  await form.getByRole('textbox', { name: 'Failed runs before an alert' }).waitFor()
})
