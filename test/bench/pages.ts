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
import { startGaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { signIn } from '#test/support/stalls/setup.ts'
import { addHighest, type BenchPage, measurePage, measureRange, type PageCosts } from './browser/measure.ts'
import { compareStatusBoards } from './browser/status-board.ts'
import { findChild } from './child-process.ts'
import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'
import { fill } from './results/filling.ts'

const DAYS = 90
/** Pages of lists that are empty here. */
const OTHERS = ['groups', 'variables', 'webhooks', 'domains', 'agents', 'body-stores', 'silences', 'deleted']

/** The case that compares the status board with Uptime Kuma's dashboard. */
const BOARDS = 'boards'

const SIZES = { usual: { services: 50, results: 20_000 }, large: { services: 500, results: 500_000 } }

/**
 * Measures each page in a real browser against a real web process: its JavaScript, what moves while it loads, whether its
 * content is in the first response, and what navigation to it costs. `--case NAME` chooses pages; the
 * case `boards` is the comparison of the status board with Uptime Kuma's dashboard.
 */
export async function run({ large, cases }: BenchOptions, report: Report): Promise<void> {
  await buildDashboard(console.log, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-'))
  const keys = { DATA_DIR: folder, SECRET_KEYS: `bench:${randomBytes(32).toString('hex')}` }
  try {
    await withDatabase(async (db, url) => {
      const size = large ? SIZES.large : SIZES.usual
      const { owner, pages } = await createPages(db, size)
      const environment = { ...keys, DATABASE_URL: url, HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_ENABLED: 'false' }
      const web = await startGaugedProcess('../../../server/commands/web.ts', environment)
      const browser = await launchChromium()
      try {
        const origin = `http://127.0.0.1:${web.port}`
        const cookie = await signIn(db, owner, keys)
        const costs: PageCosts[] = []
        for (const page of pages) {
          if (cases.length > 0 && !cases.includes(page.name)) continue
          costs.push(await measurePage(browser, web, { origin, cookie }, page))
          if (page.hasRange) costs.push(await measureRange(browser, web, { origin, cookie }, page))
        }
        // The highest of some pages must not replace the figures of all.
        if (cases.length === 0) addHighest(report, costs)
        if (cases.length === 0 || cases.includes(BOARDS)) {
          const own = { session: { origin, cookie }, pid: await findChild(process.pid, 'server/commands/web.ts') }
          await compareStatusBoards(browser, own, size, report)
        }
      } finally {
        await browser.close()
        await web.kill()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function createPages(db: Db, size: { services: number; results: number }) {
  const { id, owner } = await createOrganization(db)
  const workspace = await createWorkspace(db, { id }, { name: 'Shop' })
  const project = await createProject(db, workspace, { name: 'Storefront' })
  const script = probeOf('https://shop.example/')
  const services = await Promise.all(
    Array.from({ length: size.services }, (_, i) =>
      createService(db, project, { name: `Service ${String(i).padStart(3, '0')}`, script, isActive: true, version: 2 }),
    ),
  )
  await fill(db, services, size.results, DAYS)
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
    { name: 'service', path: at, from: `/projects/${project.id}`, content: 'Service 000', isHeavy, hasRange: true },
    { name: 'statistics', path: `${at}/statistics`, from: at, content: 'shop.example', isHeavy, hasRange: true },
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
