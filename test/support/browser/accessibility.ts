import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Returns the violations of WCAG 2.2 level AA that axe finds on the page. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`))
  })
}

/** Returns the violations in the dark and in the light color scheme. The page stays light. */
export async function violationsInBothColorSchemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await setColorScheme(page, colorScheme)
    found.push(...(await accessibilityViolations(page)).map((violation) => `${colorScheme}: ${violation}`))
  }
  return found
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
