import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { execute } from '#server/cli/terminal/execute.ts'
import { testApi } from '#test/support/api/api.ts'
import { type CliOptions, facadeCli, runCli } from '#test/support/cli.ts'
import type { Key, ServiceTree } from '#test/support/factories.ts'
import { makeDue } from '#test/support/runs/probed.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { bindWebhook } from '#test/support/webhooks.ts'

// `soundline deploy` and `soundline maintenance` with a real worker, a real target and a real webhook receiver.

const api = testApi({
  settings: {
    SECRET_KEYS: TEST_SECRET_KEYS,
    BASE_URL: 'https://soundline.example.com',
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
  },
})
const workers = testWorkers(api.databaseUrl)
let target: HttpTarget
let receiver: HttpTarget
let tree: ServiceTree
let key: Key
let isDown = false
/** The target goes on with the deploy when this resolves. */
let held: Promise<void> = Promise.resolve()
let messages = 0

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    // The deploy below takes the target down and up again.
    if (request.url === '/down') {
      isDown = true
      await held
    }
    if (request.url === '/up') isDown = false
    response.writeHead(isDown && request.url === '/' ? 503 : 200).end()
  })
  receiver = await startHttpTarget((_, response) => {
    messages++
    response.end('ok')
  })
  tree = await api.create.serviceTree()
  key = await api.create.key(tree.organization.owner, { access: 'write' })
  await workers.start()
  api.runtime.live.start()
})
afterAll(async () => {
  await api.runtime.live.close()
  await Promise.all([target.close(), receiver.close()])
})
beforeEach(async () => {
  isDown = false
  await api.db.delete(maintenances)
})

const cli = (args: string[], options: CliOptions = {}) => runCli(args, { ...facadeCli(api.facade, key), ...options })

/** A service of a project of its own, with a webhook. It is due only when a test says so. */
async function newService() {
  const project = await api.create.project({ id: tree.workspace.id, organizationId: tree.organization.id })
  const script = `get("http://127.0.0.1:${target.port}/").expect(status: 200)`
  const body = { projectId: project.id, name: 'Checkout', schedule: '0 0 1 1 *', script }
  const { body: created } = await api.call<{ id: string }>(key, 'POST', '/services', { body })
  const service = { id: created.id, organizationId: tree.organization.id }
  await bindWebhook(api.db, api.runtime.vault, service, `http://127.0.0.1:${receiver.port}/`)
  return { ...service, project }
}

const resultsOf = (id: string) => api.db.select().from(results).where(eq(results.serviceId, id))
const ask = (path: string) => `await fetch('http://127.0.0.1:${target.port}${path}')`

describe('deploy', () => {
  test('a target that is down during it: no incident, no message, exit 0', async () => {
    const { id, project } = await newService()
    const before = messages
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    held = promise
    const command = [process.execPath, '--input-type=module', '-e', `${ask('/down')}; ${ask('/up')}`]
    const deploying = cli(
      ['deploy', '--project', project.id, '--minutes', '20', '--note', 'deploy 42', '--', ...command],
      {
        execute: (given) => execute(given, new AbortController().signal),
      },
    )
    await until('the deploy to take the target down', async () => isDown)
    for (let count = 1; count <= 3; count++) {
      await makeDue(api.db, { id })
      await until('a result', async () => (await resultsOf(id)).length >= count)
    }
    expect((await resultsOf(id)).map((one) => [one.status, one.duringMaintenance])).toEqual(
      Array.from({ length: 3 }, () => ['failure', true]),
    )
    goOn()
    const ended = await deploying
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.notes).toMatch(/maintenance of .* mode mute: deploy 42\n(.*\n)*maintenance ended\n/)
    expect(ended.output).toContain('1 passed')
    expect(await api.db.select().from(incidents).where(eq(incidents.serviceId, id))).toEqual([])
    expect(await api.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id))).toEqual([])
    expect(messages).toBe(before)
    const passed = (await resultsOf(id)).filter(({ duringMaintenance }) => !duringMaintenance)
    expect(passed).toMatchObject([{ status: 'success', isUncounted: null }])
  })

  test('what still fails after it is one incident, and exit 1', async () => {
    const { id, project } = await newService()
    const before = messages
    const ended = await cli(['deploy', '--project', project.id, '--', 'deploy'], {
      execute: async () => {
        isDown = true
        return 0
      },
    })
    expect(ended).toMatchObject({ code: 1 })
    expect(await api.db.select().from(incidents).where(eq(incidents.serviceId, id))).toHaveLength(1)
    await until('the message', async () => messages > before)
  })

  test('a command that fails ends the maintenance, runs nothing and has its own exit code', async () => {
    const { id, project } = await newService()
    const ended = await cli(['deploy', '--project', project.id, '--', 'deploy'], { execute: async () => 7 })
    expect(ended).toMatchObject({ code: 7, output: '' })
    expect(await api.db.select().from(maintenances)).toMatchObject([{ endedBy: tree.organization.owner.membershipId }])
    expect(await resultsOf(id)).toEqual([])
  })

  test('a signal ends the command and then the maintenance', async () => {
    const { project } = await newService()
    const stop = new AbortController()
    const script = `${ask('/down')}; setInterval(() => {}, 1_000)`
    const deploying = cli(
      ['deploy', '--project', project.id, '--', process.execPath, '--input-type=module', '-e', script],
      { signal: stop.signal, execute: (given) => execute(given, stop.signal) },
    )
    await until('the command to run', async () => isDown)
    stop.abort(new Error('interrupted'))
    const ended = await deploying
    expect(ended.code).toBe(130)
    // 128 and the number of SIGTERM.
    expect(ended.notes).toContain('the command ended with 143')
    expect(await api.db.select().from(maintenances)).toMatchObject([{ endedAt: expect.any(Date) }])
  })

  test('a maintenance that ends before the command is said while the command runs', async () => {
    const { project } = await newService()
    const said = Promise.withResolvers<number>()
    const notes: string[] = []
    const ended = await cli(['deploy', '--project', project.id, '--minutes', '1', '--', 'deploy'], {
      // The end comes at once, so that the test need not wait a minute.
      send: async (request) => {
        const response = await api.facade(request, { address: '127.0.0.1' })
        if (request.method !== 'POST' || !request.url.endsWith('/maintenances')) return response
        return Response.json({ ...(await response.json()), endsAt: new Date().toISOString() })
      },
      note: (line) => {
        notes.push(line)
        if (line.startsWith('the maintenance has ended, and the command still runs')) said.resolve(3)
      },
      execute: () => said.promise,
    })
    expect(ended.code).toBe(3)
    expect(notes.at(-1)).toBe('the command ended with 3')
  })

  test('a command that does not exist is said, and leaves no maintenance on', async () => {
    const { project } = await newService()
    const ended = await cli(['deploy', '--project', project.id, '--', 'no-such-program'], {
      execute: (given) => execute(given, new AbortController().signal),
    })
    expect(ended.code).toBe(2)
    expect(ended.notes).toContain('no-such-program cannot be run: there is no such program')
    expect(await api.db.select().from(maintenances)).toMatchObject([{ endedAt: expect.any(Date) }])
  })

  test('its end is sent again when the connection breaks', async () => {
    const { project } = await newService()
    let broken = 0
    const ended = await cli(['deploy', '--project', project.id, '--', 'deploy'], {
      execute: async () => 3,
      send: (request) => {
        if (request.method === 'PATCH' && broken++ === 0) throw new TypeError('fetch failed')
        return api.facade(request, { address: '127.0.0.1' })
      },
    })
    expect(ended.code).toBe(3)
    expect(broken).toBe(2)
    expect(await api.db.select().from(maintenances)).toMatchObject([{ endedAt: expect.any(Date) }])
  })
})

describe('deploy, where the end of the maintenance is refused', () => {
  let id: string
  beforeAll(async () => {
    id = (await newService()).id
  })

  const refused = (code: number) =>
    cli(['deploy', '--service', id, '--', 'deploy'], {
      execute: async () => code,
      send: async (request) =>
        request.method === 'PATCH'
          ? Response.json({ error: 'forbidden', message: 'No.' }, { status: 403 })
          : api.facade(request, { address: '127.0.0.1' }),
    })

  test('a command that failed keeps its exit code, and the refusal is said', async () => {
    const ended = await refused(3)
    expect(ended.code).toBe(3)
    expect(ended.notes).toMatch(/could not be ended, and ends by itself: (.*\n)*the command ended with 3/)
  })

  test('a command that passed ends with 2', async () => {
    const ended = await refused(0)
    expect(ended.code).toBe(2)
    expect(ended.notes).toContain('could not be ended')
  })

  test.each([0, 3])('one that a colleague deleted is ended: a command that ends with %i decides', async (code) => {
    const ended = await cli(['deploy', '--service', id, '--', 'deploy'], {
      execute: async () => {
        await api.db.delete(maintenances)
        return code
      },
    })
    expect(ended.code).toBe(code)
    expect(ended.notes).toContain('the maintenance was deleted meanwhile')
  })
})

describe('maintenance', () => {
  test('starts, lists, extends and ends one of a project', async () => {
    const { project } = await newService()
    const scope = ['--project', project.id]
    const started = await cli([
      'maintenance',
      'start',
      ...scope,
      '--minutes',
      '20',
      '--note',
      'deploy 42',
      '--mode',
      'skip',
    ])
    expect(started).toMatchObject({ code: 0, notes: '' })
    expect(started.output).toMatch(new RegExp(`^Maintenance of ${project.name} until .*, mode skip: deploy 42 \\(`))
    const [row] = await api.db.select().from(maintenances)
    const listed = await cli(['maintenance', 'list', ...scope, '--state', 'active'])
    // A workspace may have the name of a project.
    const path = `${tree.workspace.name} / ${project.name}`
    expect(listed.output).toMatch(new RegExp(`${row?.id}  active +${path} +skip .*deploy 42`))
    expect(await cli(['maintenance', 'extend', String(row?.id), '--minutes', '90'])).toMatchObject({ code: 0 })
    const ended = await cli(['maintenance', 'end', ...scope])
    expect(ended.output).toMatch(new RegExp(`^Ended the maintenance of ${project.name} `))
    expect(await cli(['maintenance', 'end', ...scope])).toMatchObject({
      code: 0,
      output: '',
      notes: 'no maintenance is on\n',
    })
    expect(await cli(['maintenance', 'remove', String(row?.id)])).toMatchObject({ code: 0 })
    expect(await cli(['maintenance', 'list', ...scope, '--json'])).toMatchObject({ output: '[]\n' })
  })

  test.each([
    ['ends', ['--rule', 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440', '--timezone', 'UTC'], ['end']],
    ['is deleted', ['--rule', 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440', '--timezone', 'UTC'], ['end', 'remove']],
    ['is deleted', ['--minutes', '5'], ['remove']],
  ])('a run that began in one which %s (%j) counts for nothing', async (_, times, commands) => {
    const held = Promise.withResolvers<() => void>()
    const slow = await startHttpTarget((_, response) => held.resolve(() => response.writeHead(503).end()))
    const { id } = await newService()
    await api.db
      .update(services)
      .set({ script: `get("http://127.0.0.1:${slow.port}/").expect(status: 200)` })
      .where(eq(services.id, id))
    const started = await cli(['maintenance', 'start', '--service', id, ...times, '--json'])
    const maintenance = JSON.parse(started.output).id
    await makeDue(api.db, { id })
    const answer = await held.promise
    for (const command of commands) {
      expect(await cli(['maintenance', command, maintenance])).toMatchObject({ code: 0 })
    }
    answer()
    await until('the result', async () => (await resultsOf(id)).length > 0)
    expect(await resultsOf(id)).toMatchObject([{ status: 'failure', duringMaintenance: true }])
    expect(await api.db.select().from(incidents).where(eq(incidents.serviceId, id))).toEqual([])
    await slow.close()
  })

  test('plans one with a rule', async () => {
    const { id } = await newService()
    const rule = 'FREQ=YEARLY;DTSTART=29990101T000000Z/60'
    const planned = await cli(['maintenance', 'start', '--service', id, '--rule', rule, '--timezone', 'UTC', '--json'])
    expect(JSON.parse(planned.output)).toMatchObject({ state: 'upcoming', rule, startsAt: '2999-01-01T00:00:00.000Z' })
  })

  test.each([
    [['start', '--minutes', '5'], 'Name a --service, a --project or a --workspace'],
    [['start', '--workspace', 'X'], 'Say how long it lasts'],
    [['start', '--workspace', 'X', '--minutes', 'soon'], 'Write a number of minutes'],
    [['end'], 'Name a --service, a --project or a --workspace'],
  ])('%j is refused', async (args, message) => {
    const ended = await cli(['maintenance', ...args])
    expect(ended).toMatchObject({ code: 2, output: '' })
    expect(ended.notes).toContain(message)
  })
})
