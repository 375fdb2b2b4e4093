import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { BOOK_NAMES, type DocsPage, everyPage, pagesOf } from '#app/docs/books.ts'
import { ROOT } from '#server/process/program.ts'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { scrollsSideways, textOf } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { database, web } = testInstallation()
const browser = testBrowser()

// Nobody is signed in: a programmer may have a key but no account.

let page: Page
let token = ''
let prefix = ''

beforeAll(async () => {
  const organization = await database.create.organization()
  const key = await database.create.key(organization.owner, { access: 'read' })
  token = key.token
  prefix = key.prefix
  page = await browser.open(web.url)
})

/** Returns whether the page fits a phone. Restores the width of the window. */
async function fitsPhone(): Promise<boolean> {
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const fits = !(await scrollsSideways(page))
  if (wide) await page.setViewportSize(wide)
  return fits
}

function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })
}

/** The field of the sidebar for the key. */
function keyForm(): Locator {
  return page.getByRole('region', { name: 'API key for all operations' })
}

function sidebar(): Locator {
  return page.getByRole('navigation', { name: 'Documentation' })
}

/** The links of the sidebar that are marked as current, as `path mark`. */
function markedLinks(): Promise<string[]> {
  const links = sidebar().locator('[aria-current]')
  return links.evaluateAll((nodes) =>
    nodes.map((node) => `${node.getAttribute('href')} ${node.getAttribute('aria-current')}`),
  )
}

/**
 * Draws the content of another page in the open one, which costs a tenth of opening it. Returns whether it fits the
 * window, its neighbours in the book, and the style sheets that the open page lacks.
 */
function drawIn(open: Page, path: string) {
  return open.evaluate(async (path) => {
    const other = new DOMParser().parseFromString(await (await fetch(path)).text(), 'text/html')
    const content = other.querySelector('main') as HTMLElement
    document.querySelector('main')?.replaceWith(content)
    const { scrollWidth, clientWidth } = document.documentElement
    const sheets = (of: Document) =>
      [...of.querySelectorAll('link[rel="stylesheet"]')].map((sheet) => sheet.getAttribute('href'))
    const links = content.querySelectorAll('nav[aria-label="Previous and next page"] a')
    return {
      fits: scrollWidth <= clientWidth + 1,
      neighbours: [...links].map((link) => link.getAttribute('href')),
      missing: sheets(other).filter((sheet) => !sheets(document).includes(sheet)),
    }
  }, path)
}

/** How long the longest code without a space is, which may widen a page. */
function longestCode({ chapter }: DocsPage): number {
  const codes = chapter.sections.flatMap(({ text }) => text.match(/`[^`\s]+`/g) ?? [])
  return Math.max(0, ...codes.map(({ length }) => length))
}

test('the pages of a book lead to the next one, and its ends and the page with the longest code fit a phone', async () => {
  // The styles of another page have another nonce, which the policy of the open one forbids.
  const phone = await browser.open(web.url, { viewport: { width: 390, height: 844 }, bypassCSP: true })
  await phone.goto('/docs/language')
  await phone.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link').click()
  await phone.waitForURL('**/docs/language/examples')
  for (const book of BOOK_NAMES) {
    const pages = pagesOf(book)
    const paths = pages.map(({ path }) => path)
    const widest = pages.toSorted((a, b) => longestCode(b) - longestCode(a))[0]?.path
    for (const [at, path] of paths.entries()) {
      if (at > 0 && at < paths.length - 1 && path !== widest) continue
      const neighbours = [paths[at - 1], paths[at + 1]].filter((other) => other !== undefined)
      expect(await drawIn(phone, path), path).toEqual({ fits: true, neighbours, missing: [] })
    }
  }
  await phone.close()
})

describe('/docs', () => {
  test('lists every operation of the document, filters them, and has no accessibility violations', async () => {
    await page.goto('/docs')
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
    const document = await (await page.request.get('/api/openapi/public/v1.json')).json()
    const operations = Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
      .flatMap((path) => Object.values(path))
      .filter((operation) => operation.operationId)
    expect(operations.length).toBeGreaterThan(70)
    const links = page.locator('main a[href^="/docs/operations/"]')
    expect(await links.count()).toBe(operations.length)
    expect(await fitsPhone()).toBe(true)
    await page.getByRole('searchbox', { name: 'Filter operations' }).fill('post services run')
    await expect.poll(() => links.count(), { timeout: 60_000 }).toBe(1)
    // The frame is judged with an operation.
    expect(await accessibilityViolations(page, 'main')).toEqual([])
    await page.getByRole('link', { name: 'Request a run now' }).click()
    await page.getByRole('heading', { name: 'Request a run now', level: 1 }).waitFor()
  })

  test('opens an operation by an address of an earlier version', async () => {
    await page.goto('/docs#/Key/getKey')
    await page.getByRole('heading', { name: 'Describe the calling key', level: 1 }).waitFor()
    expect(await markedLinks()).toEqual(['/docs true'])
  })

  test('tries an operation with a pasted key, and shows the call as curl command', async () => {
    const request = page.getByRole('region', { name: 'Request' })
    await request.getByRole('button', { name: 'Try it out' }).click()
    await request.getByLabel('API key').fill(token)
    await request.getByRole('button', { name: 'Send' }).click()
    await request.getByText(/^200 /).waitFor()
    expect(await textOf(request.getByRole('region', { name: 'Response body' }))).toContain(prefix)
    expect(await textOf(request.getByRole('status'))).toContain('Authorization: Bearer $SOUNDLINE_KEY')
    expect(await textOf(request.getByRole('status'))).not.toContain(token)
    await keyForm().getByLabel('Show it in curl').check()
    const curl = await textOf(request.getByRole('region', { name: 'curl command' }))
    expect(curl).toContain(`'Authorization: Bearer ${token}'`)
    expect(curl).toContain(`"${web.url}/api/public/v1/key"`)
    await keyForm().getByLabel('Show it in curl').uncheck()
    expect(await fitsPhone()).toBe(true)
    expect(await violationsInBothColorSchemes(page)).toEqual([])
  })

  test('needs no key for the next operation, fills parameters, and shows a refusal', async () => {
    await sidebar().getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('link', { name: 'Create a service' }).click()
    await page.getByRole('heading', { name: 'Create a service', level: 1 }).waitFor()
    const request = page.getByRole('region', { name: 'Request' })
    await request.getByRole('button', { name: 'Try it out' }).click()
    expect(await request.getByLabel('API key').count()).toBe(0)
    expect(await keyForm().getByLabel('API key').inputValue()).toBe(token)
    expect(await request.getByLabel('Body').inputValue()).toContain('"projectId"')
    await request.getByRole('button', { name: 'Send' }).click()
    await request.getByText(/^403 /).waitFor()
    expect(await textOf(request.getByRole('region', { name: 'Response body' }))).toContain('api_key_read_only')
  })

  test('keeps the key in this tab, until it is forgotten', async () => {
    const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]))
    expect(await kept()).not.toContain(token)
    await page.reload()
    await expect.poll(() => keyForm().getByLabel('API key').inputValue()).toBe(token)
    await keyForm().getByRole('button', { name: 'Forget' }).click()
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(token)
    await page.getByRole('button', { name: 'Try it out' }).click()
    expect(await page.getByRole('region', { name: 'Request' }).getByLabel('API key').inputValue()).toBe('')
  })

  test('has no page for an unknown operation', async () => {
    expect((await page.request.get('/docs/operations/constructor')).status()).toBe(404)
  })
})

describe('the sidebar of the documentation', () => {
  test('stays in a low window, and shows the current page there', async () => {
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 1440, height: 500 })
    await page.goto('/docs/operate/troubleshooting')
    const current = sidebar().getByRole('link', { name: 'Troubleshooting' })
    await expect.poll(() => isInWindow(current), { timeout: 60_000 }).toBe(true)
    await page.getByRole('navigation', { name: 'Previous and next page' }).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
    expect(await isInWindow(current)).toBe(true)
    expect(await isInWindow(page.getByRole('searchbox', { name: 'Search the documentation' }))).toBe(true)
    if (wide) await page.setViewportSize(wide)
  })

  test('lists every page, marks the current one, and opens its book', async () => {
    const hrefs = await sidebar()
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs).toEqual(['/docs', ...everyPage().map(({ path }) => path)])
    const openBooks = sidebar().locator('details[open] > summary')
    expect(await openBooks.allTextContents()).toEqual(['Operation'])
    expect(await markedLinks()).toEqual(['/docs/operate/troubleshooting page'])
    await sidebar().locator('summary').getByText('Guide', { exact: true }).press('Enter')
    await sidebar().getByRole('link', { name: 'Runs', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await expect.poll(markedLinks).toEqual(['/docs/guide/runs page'])
    await expect.poll(() => openBooks.allTextContents()).toEqual(['Guide'])
  })

  test('is folded on a phone, and opens', async () => {
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/docs/language/reference')
    const button = sidebar().getByRole('button', { name: 'Contents' })
    const link = sidebar().getByRole('link', { name: 'Bounds' })
    expect([await button.getAttribute('aria-expanded'), await link.isVisible()]).toEqual(['false', false])
    await button.press('Enter')
    await link.waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    expect(await accessibilityViolations(page, '[aria-label="Documentation"]')).toEqual([])
    await link.click()
    await page.getByRole('heading', { name: 'Bounds', level: 1 }).waitFor()
    await link.waitFor({ state: 'hidden' })
    expect(await button.getAttribute('aria-expanded')).toBe('false')
    if (wide) await page.setViewportSize(wide)
    await link.waitFor()
    expect(await button.isVisible()).toBe(false)
  })
})

describe('/docs/guide', () => {
  test('is linked from the reference', async () => {
    await sidebar().getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
    await sidebar().getByRole('link', { name: 'API guide' }).click()
    await page.getByRole('heading', { name: 'API guide', level: 1 }).waitFor()
    for (const part of ['On this page', 'Keys', 'Permissions', 'Limits', 'Errors', 'Codes', 'Paging', 'Versions']) {
      await page.getByRole('heading', { name: part, level: 2 }).waitFor()
    }
    // After a client-side navigation, the title changes a moment later than the page.
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('API guide – Soundline')
  })

  test('shows a code at the address that errors link to', async () => {
    // Opened anew, as from an error: the page before is the same document, within which this is another kind of navigation.
    await page.goto('about:blank')
    await page.goto('/docs/guide#code-version_conflict')
    const code = page.getByRole('heading', { name: 'version_conflict', level: 3 })
    await expect.poll(() => isInWindow(code), { timeout: 60_000 }).toBe(true)
  })

  test('leads by its contents to the sections of other pages', async () => {
    await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Wait for a run' }).click()
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    const section = page.getByRole('heading', { name: 'Wait for a run', level: 2 })
    await expect.poll(() => isInWindow(section), { timeout: 60_000 }).toBe(true)
  })
})

test('a book has no page of another name', async () => {
  for (const name of ['unknown', 'guide']) {
    expect((await page.request.get(`/docs/guide/${name}`)).status(), name).toBe(404)
  }
})

describe('/docs/search', () => {
  test('finds a section by words of its title or text, and leads to it', async () => {
    const field = page.getByRole('searchbox', { name: 'Search the documentation' })
    await field.fill('idempotency')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
    await page.getByText(/places for “idempotency”/).waitFor()
    // The title comes after the content.
    await expect.poll(() => page.title()).toMatch(/^Search/)
    expect(await markedLinks()).toEqual([])
    expect(await fitsPhone()).toBe(true)
    expect(await accessibilityViolations(page, 'main')).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Retries', exact: true }).click()
    await page.getByRole('heading', { name: 'API guide', level: 1 }).waitFor()
    const section = page.getByRole('heading', { name: 'Retries', level: 2 })
    await expect.poll(() => isInWindow(section), { timeout: 60_000 }).toBe(true)
  })

  test('finds an operation, and says when nothing is found', async () => {
    const field = page.getByRole('searchbox', { name: 'Search the documentation' })
    await field.fill('request a run now')
    await field.press('Enter')
    await page.getByRole('main').getByRole('link', { name: 'Request a run now' }).waitFor()
    await field.fill('nosuchword')
    await field.press('Enter')
    await page.getByText('No page has all words of “nosuchword”.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'version_conflict' }).click()
    await page.getByText(/places? for “version_conflict”/).waitFor()
    await expect.poll(() => field.inputValue(), { timeout: 60_000 }).toBe('version_conflict')
    expect(await (await page.request.get('/docs/search?q=backup')).text()).toContain('value="backup"')
    expect((await page.request.get('/docs/search?q=%00&q=b')).status()).toBe(200)
    expect((await page.request.get('/docs/search')).status()).toBe(200)
  })
})

describe('the documentation for programs', () => {
  test('is Markdown at an address that each page names', async () => {
    for (const path of ['/docs', '/docs/guide/runs', '/docs/operations/runService']) {
      const html = await (await page.request.get(path)).text()
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"/>`)
      const response = await page.request.get(`${path}.md`)
      expect([response.status(), response.headers()['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(await response.text()).toMatch(/^# /)
    }
    expect((await page.request.get('/docs/operations/constructor.md')).status()).toBe(404)
  })

  test('is listed in llms.txt by absolute addresses', async () => {
    const text = await (await page.request.get('/llms.txt')).text()
    expect(text).toMatch(/^# Soundline\n/)
    expect(text).toContain(`${web.url}/docs/guide.md`)
  })
})

describe('/docs/language', () => {
  test('shows the tested examples', async () => {
    await sidebar().locator('a[href="/docs/language"]').click()
    await page.getByRole('heading', { name: 'The script language', level: 1 }).waitFor()
    const shown = await page.getByRole('region', { name: 'Example' }).locator('pre').allTextContents()
    const examples = globSync('test/lace/examples/*.lace', { cwd: ROOT }).sort()
    expect(shown.length).toBeGreaterThan(3)
    // Colored code is the other kind of text.
    expect(await violationsInBothColorSchemes(page, 'main')).toEqual([])
    // The others are on a page of their own.
    expect(shown.map((text) => `${text}\n`)).toEqual(
      examples.slice(0, shown.length).map((file) => readFileSync(join(ROOT, file), 'utf8')),
    )
  })

  test('has a link to each heading', async () => {
    await sidebar().locator('a[href="/docs/language/reference"]').click()
    await page.getByRole('heading', { name: 'Language reference', level: 1 }).waitFor()
    const headings = page.locator('main').locator('h2, h3')
    const links = await headings.evaluateAll((nodes) => nodes.map((node) => [node.id, node.querySelector('a')?.hash]))
    expect(links.length).toBeGreaterThan(4)
    expect(links).toEqual(links.map(([id]) => [id, `#${id}`]))
    await page.getByRole('heading', { name: 'Words' }).getByRole('link').click()
    await page.waitForURL('**/docs/language/reference#words')
    expect(await page.getByRole('table').locator('td').allTextContents()).toContain(
      '.expect .check .assert .store .wait',
    )
  })
})
