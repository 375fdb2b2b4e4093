import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { launchChromium } from '#test/support/browser/chromium.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult } from '#test/support/runs/results.ts'
import { probeOf } from '#test/support/runs/scripts.ts'
import { signIn } from '#test/support/stalls/setup.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'
import { type BenchPage, measureBareNavigation, measurePage, type PageCosts } from './page-costs.ts'
import { fill } from './results/filling.ts'

const [SERVICES, RESULTS, DAYS] = [50, 20_000, 90]
/** Pages of lists that are empty here. */
const OTHERS = ['groups', 'variables', 'webhooks', 'domains', 'agents', 'body-stores', 'silences', 'deleted']

/**
 * Measures each page in a real browser against a real web process: its JavaScript, what moves while it loads, and how long
 * a navigation to its content takes. The figures are those of the page that costs most.
 */
export async function run(report: Report): Promise<void> {
  await buildDashboard(console.log, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-'))
  const keys = { DATA_DIR: folder, SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}` }
  try {
    await withDatabase(async (db, url) => {
      const { owner, pages } = await createPages(db)
      const settings = { ...keys, DATABASE_URL: url, HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_ENABLED: 'false' }
      const web = startChild('../../server/commands/web.ts', {
        ...{ PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'fatal' },
        ...settings,
      })
      const browser = await launchChromium()
      try {
        const origin = `http://127.0.0.1:${await waitForPort(web)}`
        const session = { origin, cookie: await signIn(db, owner, keys) }
        const costs: PageCosts[] = []
        for (const page of pages) {
          const cost = await measurePage(browser, session, page)
          costs.push(cost)
          console.log(`  ${describe(cost)}`)
        }
        addHighest(report, costs)
        const value = await measureBareNavigation(browser)
        report.add({ name: 'navigation between pages of bare HTML', value, unit: 'ms', note: 'the floor' })
      } finally {
        await browser.close()
        await stopChild(web, 'SIGKILL')
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describe({ page, kilobytes, shift, contentMs }: PageCosts): string {
  const content = contentMs === null ? '' : `, content after ${contentMs.toFixed(0)} ms`
  return `${page.name.padEnd(22)} ${kilobytes.toFixed(0)} kB, layout shift ${shift.toFixed(3)}${content}`
}

/** Reports for each figure the page that costs most. */
function addHighest(report: Report, costs: PageCosts[]): void {
  const highest = (name: string, unit: string, atMost: number, of: (cost: PageCosts) => number | null) => {
    const all = costs.flatMap((cost) => [{ page: cost.page.name, value: of(cost) ?? 0 }])
    const [{ page, value } = { page: '', value: 0 }] = all.toSorted((a, b) => b.value - a.value)
    report.add({ name, value, unit, bound: { atMost }, note: page })
  }
  const kilobytes = (isHeavy: boolean) => (cost: PageCosts) =>
    (cost.page.isHeavy ?? false) === isHeavy ? cost.kilobytes : null
  highest('compressed JavaScript of lists', 'kB', 180, kilobytes(false))
  highest('compressed JavaScript of the heaviest page', 'kB', 300, kilobytes(true))
  highest('layout shift', 'CLS', 0.02, ({ shift }) => shift)
  highest('navigation to the content', 'ms', 300, ({ contentMs }) => contentMs)
}

async function createPages(db: Db) {
  // In use for months: the question of its first day, where alerts should go, is answered.
  const { id, owner } = await createOrganization(db, { alertsAnsweredAt: new Date() })
  const workspace = await createWorkspace(db, { id }, { name: 'Shop' })
  const project = await createProject(db, workspace, { name: 'Storefront' })
  const script = probeOf('https://shop.example/')
  const services = await Promise.all(
    Array.from({ length: SERVICES }, (_, i) =>
      createService(db, project, { name: `Service ${String(i).padStart(3, '0')}`, script, isActive: true, version: 2 }),
    ),
  )
  await fill(db, services, RESULTS, DAYS)
  const service = services[0] as (typeof services)[number]
  const result = await createResult(db, service)
  const incident = await createIncident(db, service, { firstResultId: result.id })
  const at = `/services/${service.id}`
  const isHeavy = true
  const within = (path: string, content: string) =>
    ['variables', 'webhooks', 'access'].map((tab) => ({
      ...{ name: `${content} ${tab}`, path: `${path}/${tab}`, from: path, content },
    }))
  const pages: BenchPage[] = [
    { name: 'home', path: '/', from: '/workspaces', content: 'Service 000' },
    { name: 'workspaces', path: '/workspaces', from: '/', content: 'Shop' },
    { name: 'workspace', path: `/workspaces/${workspace.id}`, from: '/workspaces', content: 'Storefront' },
    ...within(`/workspaces/${workspace.id}`, 'Shop'),
    { name: 'project', path: `/projects/${project.id}`, from: `/workspaces/${workspace.id}`, content: 'Service 000' },
    ...within(`/projects/${project.id}`, 'Storefront'),
    { name: 'service', path: at, from: `/projects/${project.id}`, content: 'Service 000', isHeavy },
    { name: 'statistics', path: `${at}/statistics`, from: at, content: 'shop.example', isHeavy },
    { name: 'alerts', path: `${at}/alerts`, from: at, content: 'Service 000' },
    { name: 'script', path: `${at}/script`, from: at, content: 'shop.example', isHeavy },
    ...within(at, 'Service 000'),
    { name: 'settings', path: `${at}/settings`, from: at, content: 'Service 000', isHeavy },
    { name: 'result', path: `${at}/results/${result.id}`, from: at, content: 'local', isHeavy },
    { name: 'new', path: '/services/new', from: null, content: 'New service', isHeavy },
    { name: 'incidents', path: '/incidents', from: '/', content: 'Service 000' },
    { name: 'incident', path: `/incidents/${incident.id}`, from: '/incidents', content: 'Service 000', isHeavy },
    { name: 'audit', path: '/audit', from: '/', content: 'Audit log' },
    { name: 'members', path: '/members', from: '/', content: owner.email },
    { name: 'organization', path: '/organization', from: '/', content: 'Ownership', isHeavy },
    { name: 'account', path: '/account', from: '/', content: owner.email, isHeavy },
    ...OTHERS.map((name) => ({ name, path: `/${name}`, from: '/', content: name.slice(1).replace('-', ' ') })),
    { name: 'keys', path: '/account/keys', from: '/', content: 'API keys' },
    { name: 'docs', path: '/docs', from: null, content: 'API reference', isHeavy },
    { name: 'guide', path: '/docs/guide', from: null, content: 'Guide', isHeavy },
  ]
  return { owner, pages }
}
