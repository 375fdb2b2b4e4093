import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { sealWebhook } from '#server/alerts/webhooks/config.ts'
import { createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { createMetrics } from '#server/fronts/exposition/metrics-front.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { createProcessMetrics } from '#server/observe/metrics/process-metrics.ts'
import { ROOT } from '#server/process/program.ts'
import { enqueueMail } from '#server/schedule/jobs.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testRuntime } from '#test/support/api/api.ts'
import { parseExposition, type Sample } from '#test/support/exposition.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { isPrometheusInstalled, startPrometheus } from '#test/support/prometheus.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { TEST_SECRET_KEYS, until, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A real worker and the front of a web process, with traffic of all kinds, scraped as Prometheus does.

const TOKEN = 'a-token-of-the-operator'
const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` }
const HEALTH_MAX = 20
const database = probedDatabase()
const processes = workerProcesses(database.url)

let target: HttpTarget
let mail: MailServer
let url: string
let health: string
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    response.writeHead(request.url === '/broken' ? 500 : 200, { 'content-type': 'text/plain' }).end('body')
  })
  mail = await startMailServer()
  const port = await freePort()
  health = `http://127.0.0.1:${port}`
  await processes.start({
    METRICS_TOKEN: TOKEN,
    METRICS_PER_SERVICE: 'true',
    WORKER_HEALTH_PORT: String(port),
    HOST: '127.0.0.1',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    BODY_STORE_URL: `http://key:secret@127.0.0.1:${await freePort()}/bucket`,
  })
  const settings = {
    METRICS_TOKEN: TOKEN,
    SECRET_KEYS: TEST_SECRET_KEYS,
    TRUSTED_PROXY_HOPS: '1',
    RATE_LIMIT_HEALTH_MAX: String(HEALTH_MAX),
  }
  const runtime = testRuntime(database.db, settings)
  const gateway = createAgentGateway(runtime)
  closing.push(async () => gateway.close())
  const server = createFront({
    runtime,
    api: createFacade(runtime),
    document: createDocument(runtime),
    health: createHealth(runtime),
    metrics: createMetrics(runtime, createProcessMetrics('web', { pools: { web: database.db.$client.pool } })),
    dashboard: createDashboard(runtime),
    agent: gateway,
    mcp: async () => new Response(null, { status: 503 }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => runtime.live.close(),
  )
  await makeTraffic(runtime.vault)
})
afterAll(async () => {
  await Promise.all([...closing.map((close) => close()), target?.close(), mail?.close()])
})

async function makeTraffic(vault: Parameters<typeof sealWebhook>[0]): Promise<void> {
  const good = await database.createProbedService(`get("${target.url}").expect(status: 200)`)
  const broken = await database.createProbedService(`get("${target.url}/broken").expect(status: 200)`)
  const { organizationId } = broken
  const row = { id: uuidv7(), organizationId, name: 'Hook' }
  const sealed = sealWebhook(vault, row, { url: target.url, headers: {}, body: null, signingSecret: 'whsec_AAAA' })
  await database.db.insert(webhooks).values({ ...row, sealed })
  const binding = { id: uuidv7(), organizationId, webhookId: row.id, serviceId: broken.id }
  await database.db.insert(webhookBindings).values(binding)
  await enqueueMail(database.db, null, { to: 'ana@example.com', subject: 'Hello', text: 'Hello' })
  await database.makeDue(good, broken)
  const send = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init).then((answer) => answer.text())
  await send('/api/public/v1/key')
  await send('/api/mcp', { method: 'POST' })
  await send('/api/agent/v1/poll', { method: 'POST', body: '{}' })
  await send('/api/trpc/auth.signIn', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' } },
    body: JSON.stringify({ email: 'ana@example.com', password: 'wrong' }),
  })
  // A remote agent, which the tests of agents run: its clock is what no worker has.
  const [agent] = await database.db.select({ id: agents.id }).from(agents).limit(1)
  const remote = { id: uuidv7(), poolId: 'remote', host: 'remote', pid: 0, kind: 'agent' as const, staleSeconds: 3_600 }
  await database.db
    .insert(workers)
    .values({ ...remote, agentId: agent?.id ?? '', clockOffsetMs: 250, slots: 0, busy: 0 })
  const flood = { headers: { 'x-forwarded-for': '10.9.8.7' } }
  for (let sent = 0; sent <= HEALTH_MAX; sent++) await send('/api/health', flood)
}

/** Scrapes until the worker has stored the series of what happens last. */
function scrapeAll(): Promise<Map<string, Sample[]>> {
  return until('the series of the worker', async () => {
    const samples = await scrape()
    const last = ['soundline_deliveries_total', 'soundline_mails_total', 'soundline_body_store_errors_total']
    return last.every((name) => samples.has(name)) && samples
  })
}

async function scrape(): Promise<Map<string, Sample[]>> {
  // An address of its own each time, because scrapes count for the limit of health checks.
  const headers = { ...AUTHORIZED, 'x-forwarded-for': `10.1.${Math.floor(scrapes / 200)}.${scrapes++ % 200}` }
  return parseExposition(await (await fetch(`${url}/api/metrics`, { headers })).text())
}
let scrapes = 0

type Used = { metric: string; labels: string[]; by: string }

/** Returns the series that a query names, with the labels that it matches or groups by. */
function seriesOf(expression: string, where: string): Used[] {
  const query = expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'x')
  const found: Used[] = []
  const tree = parser.parse(query)
  const by = new Set<string>()
  tree.iterate({
    enter({ type, from, to, node }) {
      const text = () => query.slice(from, to)
      if (type.isError) throw new Error(`${where}: no PromQL at ${from}: ${query}`)
      if (type.name === 'VectorSelector') {
        const metric = node.getChild('Identifier')
        const labels = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
        found.push({
          metric: metric ? query.slice(metric.from, metric.to) : '',
          labels: labels.map((label) => query.slice(label.from, label.to).split(/[!=~]/)[0]?.trim() ?? ''),
          by: where,
        })
      }
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') by.add(text())
    },
  })
  return found.map((used) => ({ ...used, labels: [...new Set([...used.labels, ...by])] }))
}

type Panel = { title: string; type: string; targets?: { expr: string; legendFormat: string }[] }

function readPanels(): { panels: Panel[]; templating: { list: { name: string; definition?: string }[] } } {
  return JSON.parse(readFileSync(join(ROOT, 'server/deploy/grafana/soundline.json'), 'utf8'))
}

type Rule = { alert: string; expr: string; labels: object; annotations: { summary: string; runbook: string } }

const RULES = join(ROOT, 'server/deploy/prometheus/rules.yml')

function readRules(): Rule[] {
  const { groups } = parseYaml(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

test('every series of the dashboard and of the alert rules exists, with the labels that they use', async () => {
  const { panels, templating } = readPanels()
  const used = [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string)
        const series = seriesOf(expr, title)
        const grouped = new Set(series.flatMap(({ labels }) => labels))
        expect({ title, shown: shown.filter((label) => !grouped.has(label)) }).toEqual({ title, shown: [] })
        return series
      }),
    ),
    ...readRules().flatMap(({ alert, expr }) => seriesOf(expr, alert)),
    ...templating.list.flatMap(({ name, definition }) => {
      const [, metric, label] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? '') ?? []
      return metric && label ? [{ metric, labels: [label], by: name }] : []
    }),
  ]
  expect(used.length).toBeGreaterThan(60)
  const samples = await scrapeAll()
  const missing = used.flatMap(({ metric, labels, by }) => {
    const known = new Set(samples.get(metric)?.flatMap((sample) => Object.keys(sample.labels)))
    if (!samples.has(metric)) return [`${by}: ${metric}`]
    return labels.filter((label) => !known.has(label)).map((label) => `${by}: ${metric}{${label}}`)
  })
  expect(missing).toEqual([])
})

// The parser above judges the same queries where Prometheus is missing.
test.each(isPrometheusInstalled() ? ['Prometheus'] : [])(
  '%s scrapes the endpoint, and evaluates every query and rule',
  async () => {
    await scrapeAll()
    const prometheus = await startPrometheus({ url: `${url}/api/metrics`, token: TOKEN, rules: RULES })
    try {
      const expressions = readPanels().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      for (const expression of [...expressions, ...readRules().map(({ expr }) => expr)]) {
        const query = expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.+')
        await prometheus.query(query)
        for (const { metric } of seriesOf(expression, expression)) {
          expect(await prometheus.query(metric), metric).not.toEqual([])
        }
      }
      const rules = await until('every rule to be evaluated', async () => {
        const found = await prometheus.rules()
        return found.every(({ health }) => health !== 'unknown') && found
      })
      expect(rules).toHaveLength(readRules().length)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
    } finally {
      await prometheus.stop()
    }
  },
)

test('each alert says what to do, and promtool accepts the rules where it is installed', () => {
  for (const { alert, labels, annotations } of readRules()) {
    expect(alert).toMatch(/^Soundline[A-Z]/)
    expect(labels).toEqual({ severity: expect.stringMatching(/^(warning|critical)$/) })
    expect(annotations).toEqual({ summary: expect.any(String), runbook: expect.stringMatching(/.{20}/) })
  }
  const checked = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })
  const isMissing = (checked.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  expect(isMissing ? 0 : checked.status, checked.stderr).toBe(0)
})

test('runs are counted by outcome, with their phases, and per service where it is switched on', async () => {
  const samples = await scrapeAll()
  const runs = samples.get('soundline_runs_total') ?? []
  expect(runs.map(({ labels, value }) => [labels.outcome, labels.cause, labels.process, value]).sort()).toEqual([
    ['failure', 'schedule', 'worker', 1],
    ['success', 'schedule', 'worker', 1],
  ])
  expect(samples.get('soundline_service_results_total')).toHaveLength(2)
  const count = (name: string, label = 'phase', value = 'ttfb') =>
    samples.get(`${name}_count`)?.find(({ labels }) => labels[label] === value)?.value
  expect(count('soundline_call_phase_duration_seconds')).toBe(2)
  expect(count('soundline_run_duration_seconds', 'agent', 'local')).toBe(2)
  expect(count('soundline_run_queue_wait_seconds', 'agent', 'local')).toBe(2)
  expect(count('soundline_dispatch_lateness_seconds', 'process', 'worker')).toBe(2)
  const [limited] = samples.get('soundline_rate_limit_refusals_total') ?? []
  expect([limited?.labels.part, limited?.value]).toEqual(['health', 1])
})

test("the worker's port serves its health, its readiness and its own metrics", async () => {
  expect(await (await fetch(`${health}/health`)).json()).toEqual({ ok: true })
  expect(await (await fetch(`${health}/ready`)).json()).toEqual({ ready: true })
  expect((await fetch(`${health}/metrics`)).status).toBe(401)
  const own = parseExposition(await (await fetch(`${health}/metrics`, { headers: AUTHORIZED })).text())
  expect(own.get('soundline_process_info')?.map(({ labels }) => labels.process)).toEqual(['worker'])
  expect(own.has('soundline_database_size_bytes')).toBe(false)
})
