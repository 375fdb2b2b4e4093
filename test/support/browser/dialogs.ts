import type { Page } from 'playwright-core'

/** Opens a dialog: a button, or the button of a menu with the entry in it. `check` is a checkbox that comes first. */
export type Opening = { button: string | RegExp; entry?: string; check?: string }

const OPENED = '[role="dialog"], [role="menu"]'

/** Opens one dialog or menu after the other, and returns what a judgement finds in each. */
export async function dialogViolations(
  page: Page,
  openings: Opening[],
  judge: (page: Page, within: string) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const opening of openings) {
    await open(page, opening)
    const violations = await judge(page, OPENED)
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
