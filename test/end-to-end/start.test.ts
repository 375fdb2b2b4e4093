import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runEmbeddedDatabase } from '#server/process/embedded-database.ts'
import { freePort } from '#test/support/processes/ports.ts'
import {
  findProcess,
  kill,
  killLeftovers,
  type Program,
  projectFile,
  startProgram,
} from '#test/support/processes/program.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// From an empty folder to a result as the README says, killed and started again, with the real processes. The tests follow
// each other on one installation.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

const readme = readFileSync(projectFile('README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'soundline-start-'))
const data = join(folder, 'data')
let settings: Record<string, string>
let origin: string
let target: HttpTarget
let running: Program
let key: string
let serviceId: string
/** Responses that the target is asked to delay. */
const held: ServerResponse[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/held') held.push(response)
    else response.end('fine')
  })
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  settings = {
    ...settingsInReadme(),
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: data,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    WORKER_STALE_SECONDS: '3',
  }
})
afterAll(async () => {
  if (running) killLeftovers([running])
  await target.close()
})

describe('an empty folder', () => {
  test('becomes an installation that logs its address', async () => {
    await startAgain()
    const health = await fetch(`${origin}/api/health`)
    expect([health.status, await health.json()]).toEqual([200, { ok: true }])
  })

  test('has secrets that only its owner can read', () => {
    for (const name of ['postgres-password', 'secret-keys', 'postgres-port', 'postgres.log']) {
      expect([name, statSync(join(data, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    expect(running.output()).not.toContain(readFileSync(join(data, 'postgres-password'), 'utf8').trim())
  })

  test('the first probe of the README by curl works as written', async () => {
    // Only the addresses change: to this installation, and to a target on this machine.
    const script = blockAfter('<!-- A test runs this block unchanged. -->')
      .replace('BASE=http://localhost:3000', `BASE=${origin}`)
      .replace('TARGET=https://example.com/', `TARGET=${target.url}/`)
    expect(script).toContain(`BASE=${origin}\n`)
    expect(script).toContain(`${target.url}/`)
    const ids: string[] = []
    // The second time everything exists already.
    for (let time = 1; time <= 2; time++) {
      const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', `${script}\necho "$KEY"`], {
        cwd: folder,
        timeout: 120_000,
      })
      expect(stderr).toBe('')
      const [json = '', created = ''] = stdout.trim().split('\n').slice(-2)
      key = created
      const result = JSON.parse(json)
      expect(result).toMatchObject({
        status: 'success',
        steps: [{ statusCode: 200, assertionResults: [{ method: 'expect', outcome: 'passed' }] }],
      })
      ids.push(result.id)
    }
    expect(new Set(ids).size).toBe(2)
    expect(running.output()).not.toContain('"level":"warn"')
    const names = [...running.output().matchAll(/"process":"(\w+)"/g)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(['start', 'web', 'worker']))
  })
})

describe('a killed process', () => {
  beforeAll(async () => {
    const workspace = await call('POST', '/workspaces', { name: 'Held' })
    const project = await call('POST', '/projects', { workspaceId: workspace.id, name: 'Held' })
    const script = `get("${target.url}/held").expect(status: 200)`
    const service = { projectId: project.id, name: 'Held', schedule: '0 0 1 1 *', script }
    serviceId = (await call('POST', '/services', service)).id
  })

  test('a worker killed during a run: another one executes the run, and it counts once', async () => {
    await call('POST', `/services/${serviceId}/run`)
    await until(() => held.length === 1)
    kill(findProcess(running.processTree(), 'worker/main.ts').pid)
    await until(() => held.length === 2)
    for (const response of held.splice(0)) response.end('late')
    expect(await resultNumber(1)).toMatchObject({ status: 'success' })
    expect((await call('GET', `/services/${serviceId}/metrics`)).counters.probesTotal).toBe(1)
  })

  test('web is restarted', async () => {
    kill(findProcess(running.processTree(), 'server/commands/web.ts').pid)
    await until(async () => (await fetch(`${origin}/api/health`).catch(() => null))?.ok === true)
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
  })

  test('the embedded database is restarted, and the others reconnect', async () => {
    kill(findProcess(running.processTree(), 'postgres -D').pid)
    await running.waitForOutput('the embedded database ended; restarting it')
    await until(async () => (await fetch(`${origin}/api/health`).catch(() => null))?.ok === true)
    await call('POST', `/services/${serviceId}/run`)
    await until(() => held.length === 1)
    held.pop()?.end('back')
    expect(await resultNumber(2)).toMatchObject({ status: 'success' })
  })

  test('a second start on the folder is refused in one line, and the first continues', async () => {
    await using stops = new AsyncDisposableStack()
    await expect(runEmbeddedDatabase(data, stops)).rejects.toThrow(/^DATA_DIR: another start already uses .*$/)
    expect((await fetch(`${origin}/api/health`)).status).toBe(200)
  })

  test('everything but the embedded database killed: the next start stops it first, and finds its data', async () => {
    const family = running.processTree()
    const database = findProcess(family, 'postgres -D').pid
    const isDatabase = ({ parent, pid }: { parent: number; pid: number }) => pid === database || parent === database
    // The start ends last, and without a turn of its own: the guard of the database would see its end, and stop it.
    process.kill(findProcess(family, 'start.ts --under').pid, 'SIGSTOP')
    for (const left of family.filter((each) => !isDatabase(each)).reverse()) kill(left.pid)
    await running.ended
    await startAgain()
    expect(running.output()).toContain('stopped the embedded database of an earlier start')
    expect(running.output()).not.toContain('/setup')
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
    expect((await call('GET', `/services/${serviceId}/metrics`)).counters.probesTotal).toBe(2)
  })

  test('a clean stop by a signal to only npm, as from a service manager, exits with 0 and leaves nothing running', async () => {
    expect(running.processTree().length).toBeGreaterThan(5)
    expect(await running.stop('SIGTERM')).toBe(0)
    await expect(fetch(`${origin}/api/health`)).rejects.toThrow()
  })
})

// A start is stopped or killed as soon as it has come far enough.
describe('the whole product', () => {
  test('Ctrl-C during the start stops it cleanly', async () => {
    const program = await startUntil('postgres -D')
    expect(await program.stop('SIGINT')).toBe(0)
  })

  // It also shows that the one before needs no repair.
  test('npm killed: everything ends', async () => {
    const program = await startUntil('postgres -D', { npm: true })
    await program.stop('SIGKILL')
  })
})

type Summary = { id: string; status: string }
/** The fields of responses that these tests read. */
type Reply = {
  id: string
  items: Summary[]
  total: number
  counters: { probesTotal: number }
}

async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${origin}/api/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}\n${running.output()}`)
  return JSON.parse(text)
}

/** Waits for exactly this many results, and returns the newest. */
async function resultNumber(count: number): Promise<Summary> {
  let reply: Reply | null = null
  await until(async () => {
    reply = await call('GET', `/services/${serviceId}/results`)
    return reply.total >= count
  })
  const { total, items } = reply as unknown as Reply
  expect(total).toBe(count)
  return items[0] as Summary
}

async function startAgain(): Promise<void> {
  running = startProgram('start', settings, { keep: true, npm: true })
  await running.waitForOutput(`the dashboard is at ${origin}`)
}

/** Starts the product, and returns as soon as it has a process whose command line contains `text`. */
async function startUntil(text: string, options: { npm?: boolean } = {}): Promise<Program> {
  const program = startProgram('start', settings, options)
  await until(() => program.processTree().some(({ command }) => command.includes(text)))
  return program
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 180_000; Date.now() < limit; await sleep(100)) if (await condition()) return
  throw new Error(`Timeout while waiting for ${condition}\n${running.output()}`)
}

/** `NAME=value` before `npm start` in the README. */
function settingsInReadme(): Record<string, string> {
  const line = /^(SETUP_.*) npm start$/m.exec(readme)?.[1] ?? ''
  return Object.fromEntries(
    [...line.matchAll(/([A-Z_]+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  )
}

function blockAfter(mark: string): string {
  const rest = readme.slice(readme.indexOf(mark))
  const block = /```sh\n([\s\S]*?)```/.exec(rest)?.[1]
  if (!readme.includes(mark) || !block) throw new Error(`The README has no block after ${mark}`)
  return block
}
