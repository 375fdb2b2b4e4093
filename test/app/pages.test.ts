import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import {
  createProject,
  createService,
  createWorkspace,
  scrollsSideways,
  setUp,
  takeScreenshots,
  writeScript,
} from '#test/support/browser/pages.ts'
import { testDatabase } from '#test/support/database.ts'
import { webProcess } from '#test/support/processes/web-process.ts'
import { createStore } from '#test/support/runs/results.ts'

const database = testDatabase()
const web = webProcess(database.url)
const browser = testBrowser()

// Every page, with something on it: can it be read, by whom, how, and on what.

let page: Page
const paths = { workspace: '', project: '', service: '' }

const BEHIND_SIGN_IN = [
  '/workspaces',
  '/silences',
  '/members',
  '/groups',
  '/variables',
  '/webhooks',
  '/domains',
  '/agents',
  '/body-stores',
  '/audit',
  '/organization',
  '/organization/new',
  '/account',
  '/account/keys',
]
const WITHIN = ['', '/variables', '/webhooks', '/access']
const OF_SERVICE = [...WITHIN, '/statistics', '/script', '/settings']

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  await createWorkspace(page, 'Shop')
  paths.workspace = new URL(page.url()).pathname
  await createProject(page, 'Checkout')
  paths.project = new URL(page.url()).pathname
  await createService(page, 'Public API')
  paths.service = new URL(page.url()).pathname.replace('/script', '')
  await writeScript(page, 'get("https://example.com/").expect(status: 200)')
  await page.getByRole('button', { name: 'Save script' }).click()
  await page.getByText('Saved as version 2.').waitFor()
  await createStore(database.db, 'https://minio.example/bodies')
})

function everyPage(): string[] {
  return [
    ...BEHIND_SIGN_IN,
    ...WITHIN.flatMap((part) => [paths.workspace + part, paths.project + part]),
    ...OF_SERVICE.map((part) => paths.service + part),
  ]
}

/** Nothing is on its way any more. */
async function settle(): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, null, { timeout: 60_000 })
  await page.evaluate(() => document.fonts.ready)
}

type Visit = { path: string; title: string; headings: number; navigations: number; wide: boolean; faults: string[] }

/** What there is to say of the page at a path, gone to once: the slow part is to get there. */
async function visit(path: string): Promise<Visit> {
  await page.goto(path)
  await settle()
  const seen = {
    path,
    title: await page.title(),
    headings: await page.getByRole('heading', { level: 1 }).count(),
    navigations: await page.getByRole('navigation', { name: 'Main' }).count(),
  }
  const faults = (await violationsInBothColorSchemes(page)).map((fault) => `${path}, ${fault}`)
  await takeScreenshots(
    page,
    path
      .replace(/[0-9a-f]{8}-[0-9a-f-]+/, 'one')
      .slice(1)
      .replaceAll('/', '-'),
  )
  await page.setViewportSize({ width: 360, height: 740 })
  const wide = await scrollsSideways(page)
  await page.setViewportSize({ width: 1280, height: 720 })
  return { ...seen, wide, faults }
}

describe('every page', () => {
  const visits: Visit[] = []

  beforeAll(async () => {
    for (const path of everyPage()) visits.push(await visit(path))
  })

  test('has one heading of the first level, a title, and its place in the navigation', () => {
    expect(visits.length).toBeGreaterThan(BEHIND_SIGN_IN.length)
    for (const { path, title, headings, navigations } of visits) {
      expect(headings, path).toBe(1)
      expect(title, path).toMatch(/ · Soundline$/)
      expect(navigations, path).toBe(1)
    }
  })

  test('has nothing that axe holds against it, light or dark', async () => {
    const found = visits.flatMap(({ faults }) => faults)
    const visitor = await browser.open(web.url)
    for (const path of ['/sign-in', '/forgot-password', '/reset-password']) {
      await visitor.goto(path)
      await visitor.getByRole('heading', { level: 1 }).waitFor()
      found.push(...(await accessibilityViolations(visitor)).map((fault) => `${path}: ${fault}`))
    }
    expect(found).toEqual([])
  })

  test('fits a phone without scrolling sideways', () => {
    expect(visits.filter(({ wide }) => wide).map(({ path }) => path)).toEqual([])
  })

  test('comes with a policy of its own, and what was sent along is not taken for it', async () => {
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
  test('reaches the page past the navigation, and everything in a dialog', async () => {
    await page.goto('/workspaces')
    await settle()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor()
    // Its field has the focus once it has come in.
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'), null, {
      timeout: 60_000,
    })
    await page.keyboard.type('Shop')
    await page.keyboard.press('Enter')
    await page.getByText('This name is taken. Choose another.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('what is not there', () => {
  test('a mail server: whoever forgot their password is told whom to ask', async () => {
    const visitor = await browser.open(web.url)
    await visitor.goto('/sign-in')
    await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
    await visitor.getByText('Ask whoever runs it for a link').waitFor()
  })

  test('is said in words, whatever kind of address it is', async () => {
    const response = await page.goto('/nowhere')
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    for (const kind of ['workspaces', 'projects', 'services']) {
      await page.goto(`/${kind}/00000000-0000-4000-8000-000000000000`)
      await page.getByText('This does not exist, or you have no access to it.').first().waitFor()
    }
    await page.goto('/services/not-an-id')
    await page.getByText('That address is not complete').first().waitFor()
  })
})
