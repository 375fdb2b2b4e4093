import type { Locator, Page } from 'playwright-core'
import type { Db } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { SCHEDULE_DEFAULT } from '#server/schemas/services.ts'
import type { WebProcess } from '../processes/web-process.ts'
import { PASSWORD } from './dashboard.ts'

// Common actions on the dashboard's pages, for tests that need their outcome.

export const OWNER = { organization: 'Acme', name: 'Ada Lovelace', email: 'ada@acme.test', password: PASSWORD }

// Drawing a page costs half a second of CPU time. So what a test only needs is created as the page does it, by its
// operation, and only what a test is about is clicked.

/** Creates the first account and signs it in, as the set-up form does. Opens no page. */
export async function setUp(page: Page, web: Pick<WebProcess, 'url' | 'setupPath'>, owner = OWNER): Promise<void> {
  const [, token] = (await web.setupPath()).split('#')
  const { name: displayName, ...account } = owner
  await operate(page, 'setup.create', { token, displayName, ...account })
}

type Account = { email: string; password: string }

/** Where sign-in ends, for `waitForURL`. The start page of an empty installation creates the first service. */
export function isStartPage({ pathname }: URL): boolean {
  return pathname === '/' || pathname === '/services/new'
}

/** Fills in and sends the sign-in form, which is open. */
export async function signIn(page: Page, account: Account = OWNER): Promise<void> {
  await page.getByLabel('Email').fill(account.email)
  await passwordField(page).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in as the form does. Opens no page. */
export async function startSession(page: Page, account: Account & { code?: string } = OWNER): Promise<void> {
  const { email, password, code } = account
  await operate(page, 'auth.signIn', { email, password, code })
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await untilLoaded(page, '**/sign-in')
}

/** Waits for a page that a form or a link loads anew, until React handles events on it: it loses clicks before that. */
export async function untilLoaded(page: Page, url: Parameters<Page['waitForURL']>[0]): Promise<void> {
  await page.waitForURL(url)
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps')),
  )
}

/** The password field, without the button that reveals it. */
export function passwordField(page: Page, label = 'Password') {
  return page.getByRole('textbox', { name: label })
}

export type Places = { workspace: string; project: string; service: string }

/**
 * Creates a workspace, a project and a service without a script with these names, as the forms do. Returns the paths of
 * their pages, and opens none.
 */
export async function createPlaces(page: Page, names: Places): Promise<Places> {
  const workspace = await operate(page, 'workspaces.create', { name: names.workspace })
  const project = await operate(page, 'projects.create', { workspaceId: workspace.id, name: names.project })
  const service = await createServiceIn(page, project.id, names.service)
  return {
    workspace: `/workspaces/${workspace.id}`,
    project: `/projects/${project.id}`,
    service: `/services/${service.id}`,
  }
}

/** Creates a service without a script, as the form does. Opens no page. */
export function createServiceIn(page: Page, projectId: string, name: string): Promise<{ id: string }> {
  const service = { place: { projectId }, name, label: null, schedule: SCHEDULE_DEFAULT }
  return operate(page, 'services.createWhole', service)
}

/** Saves a script over a version, as the editor does. Opens no page. */
export async function saveScript(page: Page, id: string, script: string, version = 1): Promise<void> {
  await operate(page, 'services.saveScript', { id, script, version })
}

export async function createWorkspace(page: Page, name: string): Promise<void> {
  await page.goto('/workspaces')
  await page.getByRole('button', { name: 'New workspace' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL(/\/workspaces\/[0-9a-f-]{36}$/)
}

export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/)
}

/** Calls an operation as the member who is signed in on the page, and returns its output. */
export async function operate<T = { id: string }>(page: Page, name: string, input: unknown): Promise<T> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await page.request.post(`/api/trpc/${name}`, { headers, data: input })
  const { result, error } = await response.json()
  if (error) throw new Error(`${name} returned ${JSON.stringify(error.data)}`)
  return result.data
}

/** Creates a service without a script in the open project. Ends on the script page. */
export async function createService(page: Page, name: string): Promise<void> {
  // An empty project offers it twice.
  await page.getByRole('main').getByRole('link', { name: 'New service' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create and edit the script' }).click()
  await page.waitForURL(/\/services\/[0-9a-f-]{36}\/script$/)
}

/** Makes services due once a year, so that no run of their schedule comes between those of a test with a worker. */
export async function rarelyDue(db: Db): Promise<void> {
  await db.update(services).set({ schedule: '0 0 1 1 *' })
}

/** Replaces the text in the editor. */
export async function writeScript(page: Page, script: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Script' })
  // In an editor that was about to get the focus, the text was once added to the old one on a busy machine.
  await editor.focus()
  await page.locator('.cm-focused').waitFor()
  await editor.fill(script)
}

/** Selects an option of a select field. */
export async function select(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

export async function textOf(place: Locator): Promise<string> {
  return ((await place.textContent()) ?? '').trim()
}

/** Opens a page by its link in the navigation, which costs a third of loading it anew. No dialog may be open. */
export async function openByLink(page: Page, path: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).locator(`a[href="${path}"]`).click()
  await page.waitForURL(({ pathname }) => pathname === path)
}

/** Opens a tab of a workspace, a project or a service. */
export async function openTab(page: Page, of: 'Workspace' | 'Project' | 'Service', name: string): Promise<void> {
  await page.getByRole('navigation', { name: of, exact: true }).getByRole('link', { name, exact: true }).click()
}

/** Returns whether the page is wider than its window. Waits for the layout to settle. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1
  const fit = page.waitForFunction(fits, null, { timeout: 5_000 })
  return fit.then(
    () => false,
    () => true,
  )
}
