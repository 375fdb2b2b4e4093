import type { Page } from 'playwright-core'
import { accessibilityViolations, violationsInBothColorSchemes } from './accessibility.ts'

/** Opens a dialog: a button, or the button of a menu with the entry in it. `check` is a checkbox that comes first. */
export type Opening = { button: string | RegExp; entry?: string; check?: string }

const OPENED = '[role="dialog"], [role="menu"]'

/** Opens one dialog or menu after the other, and returns what axe finds in each: in dark, too, for the first. */
export async function dialogViolations(page: Page, openings: Opening[]): Promise<string[]> {
  const found: string[] = []
  for (const [index, opening] of openings.entries()) {
    await open(page, opening)
    const violations = await (index === 0
      ? violationsInBothColorSchemes(page, OPENED)
      : accessibilityViolations(page, OPENED))
    found.push(...violations.map((violation) => `${opening.button} ${opening.entry ?? ''}: ${violation}`))
    await close(page)
  }
  return found
}

/** Escape would first close the options of a field that has the focus. Menus and popovers have no button. */
async function close(page: Page): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true })
  if ((await button.count()) > 0) await button.click()
  else await page.keyboard.press('Escape')
  await page.locator(OPENED).waitFor({ state: 'detached' })
}

async function open(page: Page, { button, entry, check }: Opening): Promise<void> {
  if (check) await page.getByRole('checkbox', { name: check }).check()
  await page.getByRole('button', { name: button, exact: true }).first().click()
  if (entry) await page.getByRole('menuitem', { name: entry, exact: true }).click()
  await page.locator(entry ? '[role="dialog"]' : OPENED).waitFor()
  // Dialogs read their data when they open.
  await page.locator(`:is(${OPENED}) [aria-busy="true"]`).waitFor({ state: 'detached' })
}
