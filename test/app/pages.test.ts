import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { organizations, users } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { dialogViolations, type Opening } from '#test/support/browser/dialogs.ts'
import {
  createPlaces,
  OWNER,
  openByLink,
  operate,
  saveScript,
  scrollsSideways,
  setUp,
} from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult, createStore, step } from '#test/support/runs/results.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// Checks every page and dialog, with data on it, for headings, accessibility, width and its content security policy.

let page: Page
const paths = {
  workspace: '',
  project: '',
  service: '',
  incident: '',
  group: '',
  member: '',
  webhook: '',
  result: '',
  run: '',
  batch: '',
  agent: '/agents/oslo',
}

/** The longest name, without a place to break it. */
const long = (start: string) => start.padEnd(128, 'M')

const BEHIND_SIGN_IN = [
  '/services/new',
  '/workspaces',
  '/incidents',
  '/maintenance',
  '/silences',
  '/members',
  '/groups',
  '/variables',
  '/webhooks',
  '/domains',
  '/agents',
  '/body-stores',
  '/deleted',
  '/audit',
  '/organization',
  '/system',
  '/organization/new',
  '/account',
  '/account/keys',
]
const OF_SERVICE = ['/variables', '/webhooks', '/settings']

const WIDE = { width: 1440, height: 740 }
const PHONE = { width: 360, height: 740 }

beforeAll(async () => {
  page = await browser.open(web.url, { viewport: WIDE })
  await setUp(page, web)
  const names = { workspace: long('Shop'), project: long('Checkout'), service: long('Public') }
  Object.assign(paths, await createPlaces(page, names))
  await saveScript(page, paths.service.slice(10), 'get("https://example.com/").expect(status: 200)')
  const [service] = await database.db.select().from(services)
  const failed = await createResult(database.db, service as typeof services.$inferSelect, {
    status: 'failure',
    steps: [step({ outcome: 'failure', requestUrl: `https://example.com/${long('cart')}` })],
  })
  paths.result = `${paths.service}/results/${failed.id}`
  const incident = await createIncident(database.db, service as typeof services.$inferSelect, {
    firstResultId: failed.id,
  })
  paths.incident = `/incidents/${incident.id}`
  const organization = (await database.db.select().from(organizations))[0] as { id: string }
  await database.db.update(users).set({ displayName: long('Ada') })
  const projectId = (service as typeof services.$inferSelect).projectId
  const group = await database.create.group(organization, {
    name: long('Developers'),
    grants: [{ projectId, level: 1 }],
  })
  const grace = await database.create.member(organization, {
    displayName: long('Grace'),
    groups: [group],
    sections: { users: 'read' },
  })
  paths.member = `/members/${grace.userId}`
  paths.group = `/groups/${group.id}`
  await createStore(database.db, 'https://minio.example/bodies')
  await createContents(service as typeof services.$inferSelect, incident.id)
})

/** Creates what the dialogs are about. */
async function createContents({ projectId }: typeof services.$inferSelect, incidentId: string): Promise<void> {
  await operate(page, 'incidents.acknowledge', { id: incidentId })
  await operate(page, 'incidents.addNote', { id: incidentId, text: long('Looking') })
  const postMortem = `## ${long('Cause')}\n\n- ${long('disk')}\n\n| Step | By |\n|---|---|\n| \`${long('a')}\` | [Ada](/members) |`
  await operate(page, 'incidents.update', { id: incidentId, severity: 'medium', postMortem })
  const removed = await operate(page, 'services.create', { projectId, name: long('Removed') })
  await operate(page, 'services.remove', { id: removed.id })
  await operate(page, 'variables.organization.create', { key: 'base', value: 'https://example.com' })
  await operate(page, 'variables.organization.create', { key: 'token', value: 'hidden', type: 'secret' })
  await operate(page, 'silences.create', { channel: 'all' })
  const planned = { startsAt: new Date(Date.now() + 86_400_000).toISOString(), minutes: 20, note: long('deploy') }
  await operate(page, 'maintenances.create', { serviceId: paths.service.slice(10), ...planned })
  await operate(page, 'organization.domains.add', { domain: 'example.com' })
  await operate(page, 'organization.agents.create', { slug: 'oslo', label: long('Oslo') })
  const webhook = { name: long('Pager'), url: 'https://hooks.example.com/' }
  paths.webhook = `/webhooks/${(await operate(page, 'organization.webhooks.create', webhook)).id}`
  const values = { variables: { 'o.base': `https://example.com/${long('preview')}` }, note: long('deploy') }
  const { runId } = await operate<{ runId: string }>(page, 'services.run', { id: paths.service.slice(10), ...values })
  paths.run = `${paths.service}/runs/${runId}`
  paths.batch = `/batches/${(await operate(page, 'projects.run', { id: projectId, note: long('deploy') })).id}`
  const key = { name: long('Pipeline'), access: 'read', expiresInDays: null, password: OWNER.password }
  await operate(page, 'account.keys.create', key)
}

const more = (of: string, ...entries: string[]): Opening[] =>
  entries.map((entry) => ({ button: `More actions for ${of}`, entry }))
const buttons = (...names: (string | RegExp)[]): Opening[] => names.map((button) => ({ button }))

/** The dialogs and menus of a page, one of each kind. Journeys judge those that they fill in. */
function dialogsOf(path: string): Opening[] {
  const ofPage: Record<string, Opening[]> = {
    // A form of one field, as for every name.
    '/workspaces': buttons('New workspace', /account menu/, /Change the time zone/),
    '/silences': buttons('New silence'),
    '/members': more(long('Grace'), 'Permissions'),
    '/variables': buttons('Services that use token'),
    // A confirmation for which a name is typed.
    '/organization': buttons('Delete Acme'),
    '/account/keys': buttons('New key'),
    [paths.project]: [
      ...more('this project', 'Switch all services on'),
      { check: 'Select all services on this page', button: 'Change schedule' },
      ...buttons('Agents', 'Columns'),
    ],
    [`${paths.service}/settings`]: buttons('Move'),
    [paths.agent]: buttons('Enrol a machine'),
  }
  return ofPage[path] ?? []
}

function everyPage(): string[] {
  return [
    ...BEHIND_SIGN_IN,
    paths.workspace,
    `${paths.workspace}/access`,
    paths.project,
    ...OF_SERVICE.map((part) => paths.service + part),
    paths.incident,
    paths.group,
    paths.member,
    paths.agent,
    paths.webhook,
    paths.run,
    paths.batch,
  ]
}

/**
 * Pages of which only the response is read, with a text of their data: the same pages of other resources, whose parts load
 * the same data, and those that journeys open with data, judge and fit on a phone.
 */
function answered(): [string, string][] {
  const { workspace, project, service } = paths
  const ofContainers = [workspace, project].flatMap((of): [string, string][] => [
    [`${of}/variables`, 'https://example.com'],
    [`${of}/webhooks`, 'No webhook is bound to'],
  ])
  return [
    ...ofContainers,
    [`${project}/access`, 'Grant access'],
    [`${service}/access`, 'Grant access'],
    ['/', long('Public')],
    [service, paths.result],
    [`${service}/statistics`, 'Endpoints'],
    [`${service}/alerts`, 'No alerts yet'],
    [`${service}/script`, 'Version 2.'],
    [paths.result, 'The run failed'],
  ]
}

/**
 * The pages that stand for their kind. `/members` is a list, as most pages are; journeys judge the kinds that only they
 * fill: the board, a new service, a service and its tabs, a group, a member, a webhook, a result. A project has the frame
 * of `/access`, the list of the board and a chart; the settings of an organization are a form, as those of an account.
 */
function isJudged(path: string): boolean {
  const own = ['/domains', '/system', '/account', paths.incident, paths.run, paths.batch]
  return [WHOLE, ...own, `${paths.workspace}/access`].includes(path)
}

/** The page that is judged with its frame, which is the same on all. */
const WHOLE = '/members'

/** A form and the menus, and a dialog with red buttons. Journeys judge other forms in dark. */
const IN_DARK = ['/workspaces', '/organization']

/** A stream that is open and says nothing: what a page asks for is then its own doing. */
function silenceStreams(): Promise<unknown> {
  return page.addInitScript(() => {
    window.EventSource = class extends EventTarget {
      constructor() {
        super()
        const ping = () => this.dispatchEvent(new Event('ping'))
        setTimeout(ping)
        setInterval(ping, 5_000)
      }
      close() {}
    } as never
  })
}

/** Waits until everything on the page is loaded. */
async function settle(): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, null, { timeout: 60_000 })
  await page.evaluate(() => document.fonts.ready)
}

type Visit = {
  path: string
  title: string
  headings: number
  navigations: number
  /** The queries that the browser sent, although the page brings its data. */
  queries: string[]
  tooWide: number[]
  violations: string[]
}

/** The size of the window in which the next page opens: each page sees both, and leaves the other one. */
let size = WIDE

/** Opens a page and returns everything that the tests check. Each page is opened once, because that is slow. */
async function visit(path: string): Promise<Visit> {
  const queries: string[] = []
  const record = (request: Request) => {
    const [, name] = /\/api\/trpc\/([^?]+)/.exec(request.url()) ?? []
    if (name) queries.push(`${path}: ${name}`)
  }
  if (size === PHONE && (isJudged(path) || dialogsOf(path).length > 0)) {
    size = WIDE
    await page.setViewportSize(WIDE)
  }
  // The page before may still send queries until this one replaces it.
  page.once('framenavigated', () => page.on('request', record))
  await page.goto(path)
  await settle()
  page.off('request', record)
  const seen = {
    path,
    queries,
    title: await page.title(),
    headings: await page.getByRole('heading', { level: 1 }).count(),
    // A phone shows it on demand.
    navigations: await page.getByRole('navigation', { name: 'Main', includeHidden: true }).count(),
  }
  const violations = isJudged(path) ? await violationsInBothColorSchemes(page, path === WHOLE ? undefined : 'main') : []
  const judge = IN_DARK.includes(path) ? violationsInBothColorSchemes : accessibilityViolations
  violations.push(...(await dialogViolations(page, dialogsOf(path), judge)))
  const tooWide: number[] = []
  if (await scrollsSideways(page)) tooWide.push(size.width)
  const other = size === WIDE ? PHONE : WIDE
  await page.setViewportSize(other)
  if (await scrollsSideways(page)) tooWide.push(other.width)
  size = other
  return { ...seen, tooWide, violations: violations.map((violation) => `${path}, ${violation}`) }
}

describe('every page', () => {
  const visits: Visit[] = []

  beforeAll(async () => {
    await silenceStreams()
    // What the page before still asks for is not counted.
    await page.goto('about:blank')
    for (const path of everyPage()) visits.push(await visit(path))
  }, 900_000)

  test('has one first-level heading, a title and the navigation', () => {
    expect(visits.length).toBeGreaterThan(BEHIND_SIGN_IN.length)
    for (const { path, title, headings, navigations } of visits) {
      expect(headings, path).toBe(1)
      expect(title, path).toMatch(/ – Soundline$/)
      expect(navigations, path).toBe(1)
    }
  })

  test('of the same kind, or that a journey opens, is complete in the first response', async () => {
    for (const [path, content] of answered()) {
      const html = await (await page.request.get(path)).text()
      expect(html, path).toMatch(/<title>[^<]+ – Soundline<\/title>/)
      const drawn = html.replaceAll(/<script.*?<\/script>/gs, '')
      expect(drawn.match(/<h1[ >]/g)?.length, path).toBe(1)
      expect(drawn.match(/<nav [^>]*aria-label="Main"/g)?.length, path).toBe(1)
      expect(drawn, path).toContain(content)
      expect(drawn, path).not.toContain('aria-busy="true"')
    }
  })

  test('brings its data with the first response', () => {
    expect(visits.flatMap(({ queries }) => queries)).toEqual([])
  })

  test('has no accessibility violations in light and dark', () => {
    expect(visits.flatMap(({ violations }) => violations)).toEqual([])
  })

  test('fits phones and wide windows without scrolling sideways, with the longest names', () => {
    expect(visits.flatMap(({ path, tooWide }) => tooWide.map((width) => `${path} at ${width}`))).toEqual([])
  })

  test('has its own content security policy, and ignores one in the request', async () => {
    const nonces = new Set<string>()
    for (const path of ['/sign-in', '/workspaces', '/nowhere', paths.service]) {
      const response = await page.request.get(path, {
        headers: { 'x-nonce': 'mine', 'content-security-policy': "script-src 'nonce-mine'" },
      })
      const headers = response.headers()
      const policy = headers['content-security-policy'] ?? ''
      const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic'(;|$)/.exec(policy) ?? []
      expect(policy, path).toContain("default-src 'none'")
      expect(policy, path).toContain("frame-ancestors 'none'")
      expect(policy, path).not.toContain('unsafe-eval')
      expect(nonce.length, path).toBeGreaterThan(20)
      nonces.add(nonce)
      expect(headers['x-content-type-options'], path).toBe('nosniff')
      expect(headers['x-powered-by'], path).toBeUndefined()
      const html = await response.text()
      const scripts = html.match(/<script[^>]*>/g) ?? []
      expect(scripts.length, path).toBeGreaterThan(0)
      expect(
        scripts.filter((script) => !script.includes(`nonce="${nonce}"`)),
        path,
      ).toEqual([])
    }
    expect(nonces.size).toBe(4)
  })
})

describe('the keyboard', () => {
  test('fills in and sends a dialog, and Escape closes it', async () => {
    await page.setViewportSize(WIDE)
    await openByLink(page, '/workspaces')
    await page.getByRole('button', { name: 'New workspace' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor()
    // The field gets the focus when the dialog has opened.
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'), null, {
      timeout: 60_000,
    })
    await page.keyboard.type(long('Shop'))
    await page.keyboard.press('Enter')
    await page.getByText('This name is taken. Choose another.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('without', () => {
  test('a resource at the address, a message says so', async () => {
    // What the page of such a service and that of no such page show is judged with the looks.
    expect((await page.request.get('/nowhere')).status()).toBe(404)
    // A workspace has the frame of a project.
    await page.goto('/projects/00000000-0000-4000-8000-000000000000')
    await page.getByText('This does not exist, or you have no access to it.').first().waitFor()
    await page.goto('/services/not-an-id')
    await page.getByText('This address contains an id that is not valid').first().waitFor()
  })

  test('a mail server, the forgotten-password page names the operator', async () => {
    await page.context().clearCookies()
    await page.goto('/forgot-password')
    await page.getByText('Ask its operator for a link').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })
})
