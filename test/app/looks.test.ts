import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessibilityViolations, violationsInBothColorSchemes } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { createPlaces, OWNER, openByLink, operate, setUp, startSession } from '#test/support/browser/pages.ts'
import { testInstallation } from '#test/support/processes/web-process.ts'

const { web } = testInstallation()
const browser = testBrowser()

// What a member sees beyond the pages themselves: focus, forms with errors, error pages, and no connection.

let page: Page
/** Is not signed in at first, and loses its connection. */
let visitor: Page
let service: string

beforeAll(async () => {
  page = await browser.open(web.url)
  await setUp(page, web)
  service = (await createPlaces(page, { workspace: 'Shop', project: 'Checkout', service: 'Pay' })).service
  await operate(page, 'variables.organization.create', { key: 'base', value: 'https://example.com' })
})

/** What has the focus after the next stop of the Tab key. Null at the end of the page. */
type Stop = { name: string; place: string; href: string | null; isVisible: boolean }

async function nextStop(): Promise<Stop | null> {
  await page.keyboard.press('Tab')
  return page.evaluate(async () => {
    const at = document.activeElement
    if (!at || at === document.body) return null
    // The editor marks itself a moment later.
    await new Promise((done) => setTimeout(done, at.closest('.cm-editor') ? 100 : 0))
    // A control that its label or frame draws shows the focus there.
    const drawn = [at, at.nextElementSibling, at.closest('label'), at.closest('.cm-editor')]
    const shown = drawn.filter((each) => each !== null)
    const isVisible = shown.some((each) => {
      const { outlineStyle, outlineWidth, outlineColor, opacity } = getComputedStyle(each)
      return (
        outlineStyle !== 'none' &&
        Number.parseFloat(outlineWidth) >= 2 &&
        outlineColor !== 'transparent' &&
        opacity !== '0'
      )
    })
    const name = at.getAttribute('aria-label') ?? at.textContent?.trim() ?? ''
    const place = at.closest('nav')?.getAttribute('aria-label') ?? at.closest('main, header')?.tagName ?? ''
    return { name: `${at.tagName} ${name}`.slice(0, 60), place, href: at.getAttribute('href'), isVisible }
  })
}

/** The style sheets that the page preloads and does not use: Chromium warns of each after some seconds. */
function preloadedInVain(): Promise<string[]> {
  return page.evaluate(() => {
    const hrefs = (selector: string) =>
      [...document.querySelectorAll<HTMLLinkElement>(selector)].map(({ href }) => href)
    const used = hrefs('link[rel="stylesheet"]')
    return hrefs('link[rel="preload"][as="style"]').filter((href) => !used.includes(href))
  })
}

/** What has text smaller than twelve pixels, or in another weight than the two. */
function otherTexts(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const texts = [...element.childNodes].filter((child) => child instanceof Text)
      const text = texts
        .map(({ data }) => data)
        .join('')
        .trim()
      if (text === '' || /^(SCRIPT|STYLE)$/.test(element.tagName)) return []
      const { fontSize, fontWeight } = getComputedStyle(element)
      const isFine = Number.parseFloat(fontSize) >= 12 && /^(400|600)$/.test(fontWeight)
      return isFine ? [] : [`${element.tagName} ${fontSize} ${fontWeight}: ${text.slice(0, 40)}`]
    }),
  )
}

/** The stops of the Tab key on the page, of which the first skips the navigation. `isWhole` also walks through that. */
async function walk(path: string, isWhole: boolean): Promise<Stop[]> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  expect(await preloadedInVain(), path).toEqual([])
  expect(await otherTexts(), path).toEqual([])
  const stops: Stop[] = []
  if (!isWhole) {
    stops.push(...[await nextStop()].filter((stop) => stop !== null))
    await page.keyboard.press('Enter')
  }
  for (let stop = await nextStop(); stop && stops.length < 120; stop = await nextStop()) stops.push(stop)
  return stops
}

describe('the Tab key', () => {
  test('shows where it is on a page of every kind, and reaches every link of the navigation; texts have the sizes and weights of the design', async () => {
    const unseen: string[] = []
    for (const path of ['/', `${service}/script`, '/services/new']) {
      const stops = await walk(path, path === '/')
      expect(stops[0]?.name, path).toBe('A Skip to content')
      const inNavigation = stops.filter(({ place }) => place === 'Main').map(({ href }) => href)
      if (path === '/') {
        const links = await page
          .locator('nav[aria-label="Main"] a')
          .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
        expect(links.length).toBeGreaterThan(15)
        expect(inNavigation).toEqual(links)
      } else expect(inNavigation, path).toEqual([])
      expect(
        stops.some(({ place }) => place === 'MAIN'),
        path,
      ).toBe(true)
      unseen.push(...stops.filter(({ isVisible }) => !isVisible).map(({ name }) => `${path}: ${name}`))
    }
    expect(unseen).toEqual([])
  }, 600_000)
})

describe('axe finds nothing in light and dark', () => {
  const found: string[] = []
  const judge = async (where: string, of = page, within?: string) =>
    found.push(...(await violationsInBothColorSchemes(of, within)).map((violation) => `${where}: ${violation}`))

  test('in forms and dialogs with errors', async () => {
    await page.getByRole('button', { name: 'Create service' }).click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await judge('a new service without a URL', page, 'form section:first-of-type')

    visitor = await browser.open(web.url, { losesConnection: true, serviceWorkers: 'allow' })
    await visitor.goto('/sign-in')
    await visitor.getByLabel('Email').fill(OWNER.email)
    await visitor.getByRole('textbox', { name: 'Password' }).fill('wrong password here')
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.getByRole('alert').waitFor()
    await judge('sign-in with a wrong password', visitor)

    await page.goto('/variables')
    expect(await preloadedInVain()).toEqual([])
    expect(await otherTexts()).toEqual([])
    await page.getByRole('button', { name: 'New variable' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('base')
    await dialog.getByRole('textbox').nth(1).fill('again')
    await dialog.getByRole('button', { name: /^Create/ }).click()
    await dialog.locator('[aria-invalid="true"], [role="alert"]').first().waitFor()
    await judge('a variable whose name is taken', page, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(found.splice(0)).toEqual([])
  })

  test('in empty lists, each of which names the first action and has its button', async () => {
    const lists = [
      ['/domains', 'Add the domain of the site', 'Add domain'],
      ['/silences', 'Create a silence', 'New silence'],
      ['/maintenance', 'choose “Start maintenance”', 'Open the workspaces'],
      ['/account/keys', 'Create a key', 'New key'],
    ] as const
    for (const [path, sentence, action] of lists) {
      const html = (await (await page.request.get(path)).text()).replaceAll(/<script.*?<\/script>/gs, '')
      expect(html, path).toContain(sentence)
      expect(html, path).toContain(action)
    }
    await openByLink(page, '/webhooks')
    await page.getByText('Create one for a chat').waitFor()
    expect(await page.getByRole('button', { name: 'New webhook' }).first().isVisible()).toBe(true)
    await judge('an empty list', page, 'main')
    expect(found.splice(0)).toEqual([])
  })

  test('on the pages of errors', async () => {
    await page.goto('/nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await judge('no such page', page, 'main')
    await page.goto('/services/00000000-0000-4000-8000-000000000000')
    await page.getByText('This does not exist, or you have no access to it.').first().waitFor()
    await judge('no such service', page, 'main')
    expect(found.splice(0)).toEqual([])
  })
})

test('without a connection, a page of ours says so, stores nothing, and opens the dashboard again by itself', async () => {
  await startSession(visitor)
  await visitor.goto('/members')
  await visitor.evaluate(() => navigator.serviceWorker.ready)
  await visitor.context().setOffline(true)
  await visitor.evaluate(() => window.location.reload())
  await visitor.getByRole('heading', { name: 'No connection' }).waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await visitor.emulateMedia({ colorScheme })
    expect(await accessibilityViolations(visitor), colorScheme).toEqual([])
  }
  expect(await visitor.evaluate(() => caches.keys())).toEqual([])
  await visitor.getByRole('button', { name: 'Try again' }).click()
  await visitor.getByRole('heading', { name: 'No connection' }).waitFor()
  await visitor.context().setOffline(false)
  await visitor.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
})
