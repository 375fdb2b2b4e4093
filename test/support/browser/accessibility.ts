import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The minified file is less than half as long to send to each page, and to parse there. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const PAGE = 'html'
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns the violations of WCAG 2.2 level AA that axe finds on the page, or in the parts that `within` selects. */
export async function accessibilityViolations(page: Page, within = PAGE): Promise<string[]> {
  return violationsOf(page, within, { type: 'tag', values: WCAG })
}

/** Returns the violations in the dark and in the light color scheme. The page stays light. */
export async function violationsInBothColorSchemes(page: Page, within = PAGE): Promise<string[]> {
  await setColorScheme(page, 'dark')
  // The schemes differ in nothing but their colors.
  const dark = await violationsOf(page, within, { type: 'rule', values: ['color-contrast'] })
  await setColorScheme(page, 'light')
  return [...dark.map((violation) => `dark: ${violation}`), ...(await accessibilityViolations(page, within))]
}

async function violationsOf(page: Page, within: string, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(
    async ([selector, runOnly, page]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector, {
        runOnly,
        resultTypes: ['violations'],
        // The report shows the element itself.
        selectors: false,
        // Reads all style sheets, for a rule about the whole page.
        preload: selector === page,
      })
      return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`))
    },
    [within, runOnly, PAGE] as const,
  )
}

/** Switches the color scheme and waits until its transitions have ended. */
async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const passing = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(passing.map((each) => each.finished))
  })
}
