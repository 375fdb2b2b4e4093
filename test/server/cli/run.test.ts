import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { runs } from '#db/schema/runs.ts'
import { testApi } from '#test/support/api/api.ts'
import { type CliOptions, facadeCli, runCli } from '#test/support/cli.ts'
import type { Key, ServiceTree } from '#test/support/factories.ts'
import { testFolder } from '#test/support/folder.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// `soundline run` with a real worker that probes a real target.

const api = testApi({
  settings: {
    SECRET_KEYS: TEST_SECRET_KEYS,
    BASE_URL: 'https://soundline.example.com',
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
  },
})
const workers = testWorkers(api.databaseUrl)
const folder = testFolder()
let target: HttpTarget
let tree: ServiceTree
let key: Key
let status = 200

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/held') return
    response.statusCode = request.url?.startsWith('/broken') ? 500 : status
    response.end('{}')
  })
  tree = await api.create.serviceTree()
  key = await api.create.key(tree.organization.owner, { access: 'write' })
  await workers.start()
  api.runtime.live.start()
})
afterAll(async () => {
  await api.runtime.live.close()
  await target.close()
})
beforeEach(() => {
  status = 200
})

const run = (args: string[], options: CliOptions = {}) =>
  runCli(['run', ...args], { ...facadeCli(api.facade, key), ...options })

async function newService(
  name: string,
  script = `get("http://127.0.0.1:${target.port}/").expect(status: 200)`,
  projectId = tree.project.id,
) {
  const body = { projectId, name, schedule: '0 0 1 1 *', script }
  const { body: created } = await api.call<{ id: string; isActive: boolean }>(key, 'POST', '/services', { body })
  expect(created).toMatchObject({ isActive: true })
  return created
}

describe('run --wait', () => {
  test('passes', async () => {
    await newService('Passing')
    const ended = await run(['Passing', '--project', tree.project.name, '--wait'])
    expect(ended).toMatchObject({ code: 0, notes: '' })
    expect(ended.output).toMatch(/^✔ Passing \d+ ms\n1 passed in /)
  })

  test('fails, and shows what failed with expected and actual and the page of the result', async () => {
    const { id } = await newService('Failing')
    status = 503
    const file = join(folder, 'report.json')
    const ended = await run([id, '--wait', '--reporter', 'list', '--reporter', `json=${file}`, '--note', 'deploy 42'])
    expect(ended).toMatchObject({ code: 1, notes: '' })
    expect(ended.output).toMatch(/✘ Failing \d+ ms: GET http:\S+: status 503, expected 200\n/)
    expect(ended.output).toMatch(/expected {2}status = 200\n {8}actual {4}503\n/)
    expect(ended.output).toContain(`https://soundline.example.com/services/${id}/results/`)
    const report = JSON.parse(await readFile(file, 'utf8'))
    expect(report).toMatchObject({ exitCode: 1, note: 'deploy 42', items: [{ verdict: 'failed', outcome: 'failure' }] })
    const { body } = await api.call(key, 'GET', `/services/${id}/runs/${report.items[0].runId}`)
    expect(body).toMatchObject({ state: 'done', outcome: 'failure', note: 'deploy 42' })
  })

  test('a value for this run alone decides what it probes', async () => {
    const body = { key: 'base', value: `http://127.0.0.1:${target.port}/broken`, type: 'variable' }
    expect((await api.call(key, 'POST', `/projects/${tree.project.id}/variables`, { body })).status).toBe(200)
    const { id } = await newService('Preview', 'get("$p.base/").expect(status: 200)')
    expect(await run([id, '--wait', '--var', `p.base=http://127.0.0.1:${target.port}`])).toMatchObject({ code: 0 })
    expect(await run([id, '--wait'])).toMatchObject({ code: 1, output: expect.stringContaining('status 500') })
    const refused = await run([id, '--wait', '--var', 'p.other=x'])
    expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('p.other') })
  })

  test('a service that is switched off has no verdict, unless that is allowed', async () => {
    const { id } = await newService('Off')
    await newService('On')
    expect((await api.call(key, 'PATCH', `/services/${id}/toggle`, { body: { isActive: false } })).status).toBe(200)
    const ended = await run(['Off', 'On', '--wait'])
    expect(ended).toMatchObject({ code: 2, output: expect.stringContaining('○ Off: the service is switched off') })
    expect(ended.output).toContain('✔ On')
    expect(await run(['Off', 'On', '--wait', '--allow-skipped'])).toMatchObject({ code: 0 })
  })

  test('a run that a named agent did not execute has no verdict, unless that is allowed', async () => {
    const dead = await api.create.agent({ organizationId: tree.organization.id })
    const reason = `the agent ${dead.slug} was not connected`
    const project = await api.create.project(tree.workspace, { name: 'Regions' })
    const { id } = await newService('Everywhere', undefined, project.id)
    const fields = { probeMode: 'simultaneous' }
    expect((await api.call(key, 'PATCH', `/services/${id}`, { body: fields })).status).toBe(200)
    const named = { slugs: ['local', dead.slug] }
    expect((await api.call(key, 'PUT', `/services/${id}/agents`, { body: named })).status).toBe(200)
    const { send } = facadeCli(api.facade, key)
    const hurrying: CliOptions['send'] = async (request) => {
      // The part of the dead agent would wait for 20 seconds.
      await api.db.update(runs).set({ createdAt: sql`now() - interval '31 seconds'` }).where(eq(runs.serviceId, id))
      return send!(request)
    }
    const ended = await run([id, '--wait'], { send: hurrying })
    expect(ended).toMatchObject({ code: 2, output: expect.stringMatching(new RegExp(`^○ Everywhere .*: ${reason}\n`)) })
    expect(await run([id, '--wait', '--allow-skipped'], { send: hurrying })).toMatchObject({ code: 0 })
    const batch = await run(['--project', 'Regions', '--wait'], { send: hurrying })
    expect(batch).toMatchObject({ code: 2, output: expect.stringContaining(reason) })
    const [, batchId] = /\/batches\/([0-9a-f-]+)/.exec(batch.output) ?? []
    expect((await api.call(key, 'GET', `/batches/${batchId}`)).body).toMatchObject({
      ...{ total: 1, passed: 1, incomplete: 1, skipped: 0 },
      runs: [{ skippedAgents: [{ agentSlug: dead.slug, reason }] }],
    })
    const page = await api.call<{ items: unknown[] }>(key, 'GET', `/services/${id}/runs`)
    expect(page.body.items).toContainEqual(
      expect.objectContaining({
        outcome: 'success',
        results: expect.arrayContaining([
          expect.objectContaining({ agentSlug: dead.slug, status: 'skipped', summary: reason }),
        ]),
      }),
    )
  })

  test('a run that vanishes has no verdict', async () => {
    const { id } = await newService('Vanishing')
    const { send } = facadeCli(api.facade, key)
    const deleting: CliOptions['send'] = async (request) => {
      if (request.url.includes('/runs/')) await api.call(key, 'DELETE', `/services/${id}`)
      return send!(request)
    }
    const ended = await run([id, '--wait'], { send: deleting })
    expect(ended).toMatchObject({ code: 2, output: expect.stringContaining('not_found') })
  })

  test('a run that is not done in time has no verdict', async () => {
    const { id } = await newService('Slow', `get("http://127.0.0.1:${target.port}/held").expect(status: 200)`)
    const ended = await run([id, '--wait', '--timeout', '1s'])
    expect(ended).toMatchObject({ code: 2, output: expect.stringContaining('? Slow: not done within 1.0 s') })
  })

  test('ends with 130 when it is interrupted, and says where the run goes on', async () => {
    // Its run is not done before the interruption.
    const { id } = await newService('Interrupted', `get("http://127.0.0.1:${target.port}/held").expect(status: 200)`)
    const stop = new AbortController()
    const { send } = facadeCli(api.facade, key)
    const interrupting: CliOptions['send'] = (request) => {
      if (request.url.includes('/runs/')) stop.abort(new Error('interrupted'))
      return send!(request)
    }
    const ended = await run([id, '--wait'], { send: interrupting, signal: stop.signal })
    expect(ended).toMatchObject({ code: 130, output: '' })
    expect(ended.notes).toContain(`still running: https://soundline.example.com/services/${id}/runs/`)
  })
})

describe('a project or workspace', () => {
  let project: { id: string; name: string }

  beforeAll(async () => {
    project = await api.create.project(tree.workspace, { name: 'Batch' })
    await newService('One', undefined, project.id)
    await newService('Two', undefined, project.id)
  })

  test('runs as a batch: passed, failed, and what failed', async () => {
    const { send } = facadeCli(api.facade, key)
    let requests = 0
    const counting: CliOptions['send'] = (request) => {
      requests++
      return send!(request)
    }
    const passed = await run(['--project', 'Batch', '--workspace', tree.workspace.id, '--wait'], { send: counting })
    expect(passed).toMatchObject({ code: 0, notes: '' })
    // Twenty such jobs at once need no more than the default limit of a key, 300 in a minute.
    expect(requests).toBeLessThanOrEqual(15)
    expect(passed.output).toMatch(/2 passed in .*\nhttps:\/\/soundline.example.com\/batches\//)
    status = 503
    const failed = await run(['--project', 'Batch', '--workspace', tree.workspace.name, '--wait'])
    expect(failed).toMatchObject({ code: 1, notes: '' })
    expect(failed.output).toMatch(/✘ Two \d+ ms: GET \S+ status 503, expected 200\n/)
    expect(failed.output).toContain('expected  status = 200')
    expect(failed.output).toContain('2 failed in')
  })

  test('with a state, runs only the services in it; none has no verdict', async () => {
    expect(await run(['--project', 'Batch', '--state', 'failed', '--wait'])).toMatchObject({ code: 0 })
    const none = await run(['--project', 'Batch', '--state', 'failed', '--wait'])
    expect(none).toMatchObject({ code: 2, output: expect.stringContaining('no service matched') })
    const allowed = ['--project', 'Batch', '--state', 'failed', '--wait', '--allow-skipped']
    expect((await run(allowed)).code).toBe(2)
  })

  test('without --wait prints the page of the batch', async () => {
    const ended = await run(['--project', 'Batch'])
    expect(ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('All runs: https://soundline.example.com/batches/'),
    })
  })
})

describe('run', () => {
  test('without --wait prints the page of each run', async () => {
    const { id } = await newService('Requested')
    const ended = await run([id])
    expect(ended).toMatchObject({ code: 0, notes: '' })
    expect(ended.output).toMatch(
      new RegExp(`^Requested: https://soundline.example.com/services/${id}/runs/[0-9a-f-]+\n$`),
    )
  })

  test('refuses options that do not fit together', async () => {
    for (const args of [['x', '--label', 'smoke'], ['x', '--reporter', 'json'], ['x', '--var', 'base=1'], ['--wait']]) {
      expect((await run(args)).code, args.join(' ')).toBe(2)
    }
  })
})
