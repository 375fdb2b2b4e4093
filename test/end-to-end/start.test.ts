import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testBrowser } from '#test/support/browser/browser.ts'
import { isStartPage } from '#test/support/browser/pages.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { waitUntilEnded } from '#test/support/processes/processes.ts'
import { findProcess, kill, killLeftovers, type Program, startProgram } from '#test/support/processes/program.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// From an empty folder to a result, killed and started again, with the real processes and a real browser. The tests
// follow each other on one installation.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

const browser = testBrowser()
const data = join(mkdtempSync(join(tmpdir(), 'soundline-start-')), 'data')
const SETUP_LINK = /http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{43}/
const ACCOUNT = { email: 'ada@example.com', password: 'nine purple otters' }
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
    else response.setHeader('content-type', 'application/json').end('{"status":"fine"}')
  })
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  settings = {
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
  test('becomes an installation that logs its address and the setup link', async () => {
    running = startProgram('start', settings, { keep: true })
    await running.waitForOutput(`the dashboard is at ${origin}`)
    await running.waitForOutput(SETUP_LINK)
    const health = await fetch(`${origin}/api/health`)
    expect([health.status, await health.json()]).toEqual([200, { ok: true }])
  })

  test('has secrets that only its owner can read', () => {
    for (const name of ['postgres-password', 'secret-keys', 'postgres-port', 'postgres.log']) {
      expect([name, statSync(join(data, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    expect(running.output()).not.toContain(readFileSync(join(data, 'postgres-password'), 'utf8').trim())
  })
})

describe('the first day', () => {
  test('a person creates the first account at /setup, and an API key on its page', async () => {
    const page = await browser.open(origin)
    await page.goto('/')
    await page.waitForURL('**/setup')
    await page.goto(SETUP_LINK.exec(running.output())?.[0] ?? '')
    await page.getByLabel('Organization').fill('Otters')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill(ACCOUNT.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ACCOUNT.password)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL(isStartPage)

    await page.goto('/account/keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('pipeline')
    await dialog.getByRole('radio', { name: 'Write' }).check()
    await dialog.getByLabel('Your password').fill(ACCOUNT.password)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    key = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? ''
    expect(key).toMatch(/^sl_[A-Za-z0-9_-]{43}$/)
    await page.context().close()
  })

  test('a person who signed out signs in again', async () => {
    const page = await browser.open(origin)
    await page.goto('/setup')
    await page.waitForURL('**/sign-in*')
    await page.getByLabel('Email').fill(ACCOUNT.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ACCOUNT.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(isStartPage)
    await page.context().close()
  })

  test('from a workspace to a result with its step and body', async () => {
    const workspace = await call('POST', '/workspaces', { name: 'Shop' })
    const project = await call('POST', '/projects', { workspaceId: workspace.id, name: 'Website' })
    const service = await call('POST', '/services', {
      projectId: project.id,
      name: 'Health',
      schedule: '0 0 1 1 *',
      script: `get("${target.url}/health").expect(status: 200)`,
    })
    expect(service).toMatchObject({ isActive: true, version: 2 })
    serviceId = service.id
    const { requestedAt } = await call('POST', `/services/${serviceId}/run`)
    expect(requestedAt).toMatch(/:\d\d\.000Z$/)
    const summary = await resultNumber(1)
    const result = await call('GET', `/services/${serviceId}/results/${summary.id}`)
    expect(result).toMatchObject({ status: 'success', steps: [{ stepNum: 1, statusCode: 200, hasBody: true }] })
    const body = await call('GET', `/services/${serviceId}/results/${summary.id}/steps/${result.steps[0]?.id}/body`)
    expect(body).toEqual({ content: '{"status":"fine"}', contentType: 'application/json', encoding: null })
  })
})

describe('a killed process', () => {
  test('a worker killed during a run: another one executes the run, and it counts once', async () => {
    const { version } = await call('GET', `/services/${serviceId}`)
    const script = `get("${target.url}/held").expect(status: 200)`
    await call('PATCH', `/services/${serviceId}/script`, { script, version })
    const before = await call('GET', `/services/${serviceId}/metrics`)
    await call('POST', `/services/${serviceId}/run`)
    await until(() => held.length === 1)
    kill(findProcess(running.processTree(), 'worker/main.ts').pid)
    await until(() => held.length === 2)
    for (const response of held.splice(0)) response.end('late')
    expect(await resultNumber(2)).toMatchObject({ status: 'success' })
    const after = await call('GET', `/services/${serviceId}/metrics`)
    expect(after.counters.probesTotal).toBe(before.counters.probesTotal + 1)
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
    expect(await resultNumber(3)).toMatchObject({ status: 'success' })
  })

  test('a second start on the folder exits with one line, and the first continues', async () => {
    const second = startProgram('start', { ...settings, PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.output().trim().split('\n')).toEqual([
      expect.stringMatching(/^DATA_DIR: another start already uses /),
    ])
    expect((await fetch(`${origin}/api/health`)).status).toBe(200)
  })

  test('only the start process: its child processes end, or are killed when they cannot', async () => {
    const family = running.processTree()
    process.kill(findProcess(family, 'worker/main.ts').pid, 'SIGSTOP')
    kill(running.child.pid as number)
    await waitUntilEnded(family)
    await startAgain()
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
  })

  test('everything at once: the next start finds its data', async () => {
    for (const { pid } of running.processTree()) kill(pid)
    await running.ended
    await startAgain()
    expect(running.output()).not.toContain('/setup')
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
    expect((await call('GET', `/services/${serviceId}/metrics`)).counters.probesTotal).toBe(3)
  })

  test('everything but the embedded database: the next start stops it first', async () => {
    const family = running.processTree()
    const database = findProcess(family, 'postgres -D').pid
    const isDatabase = ({ parent, pid }: { parent: number; pid: number }) => pid === database || parent === database
    // The start ends last, and without a turn of its own: the guard of the database would see its end, and stop it.
    process.kill(running.child.pid as number, 'SIGSTOP')
    for (const left of family.filter((each) => !isDatabase(each)).reverse()) kill(left.pid)
    await running.ended
    await startAgain()
    expect(running.output()).toContain('stopped the embedded database of an earlier start')
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
  })
})

describe('stopping', () => {
  test('a second signal does not wait for running work', async () => {
    await call('POST', `/services/${serviceId}/run`)
    await until(() => held.length === 1)
    const family = running.processTree()
    // A Ctrl-C arrives twice: from the terminal and from npm.
    running.child.kill('SIGINT')
    running.child.kill('SIGINT')
    await running.waitForOutput('stopping: running work is finished first')
    // A later signal does not belong to it.
    await sleep(1_100)
    expect(running.child.exitCode).toBeNull()
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(1)
    await waitUntilEnded(family)
    held.pop()?.end()
  })

  test('a signal to only npm reaches the program, as from a container or a service manager', async () => {
    const program = startProgram('start', settings, { npm: true })
    await until(() => program.processTree().some(({ command }) => command.includes('postgres -D')))
    await program.stop('SIGTERM')
  })

  test('when npm is killed, everything ends, and the next start works without repair', async () => {
    const program = startProgram('start', settings, { npm: true })
    await until(() => program.processTree().some(({ command }) => command.includes('worker/main.ts')))
    await program.stop('SIGKILL')
    // This start also follows the stops above.
    await startAgain()
    expect((await call('GET', `/services/${serviceId}`)).id).toBe(serviceId)
  })

  test('a clean stop exits with 0 and leaves nothing running', async () => {
    expect(running.processTree().length).toBeGreaterThan(4)
    expect(await running.stop('SIGTERM')).toBe(0)
    await expect(fetch(`${origin}/api/health`)).rejects.toThrow()
  })

  test('Ctrl-C during the start also stops it cleanly', async () => {
    const program = startProgram('start', settings)
    await until(() => program.processTree().some(({ command }) => command.includes('postgres -D')))
    expect(await program.stop('SIGINT')).toBe(0)
  })
})

type Summary = { id: string; status: string }
/** The fields of responses that these tests read. */
type Reply = {
  id: string
  version: number
  requestedAt: string
  items: Summary[]
  total: number
  steps: { id: string }[]
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
  running = startProgram('start', settings, { keep: true })
  await running.waitForOutput(`the dashboard is at ${origin}`)
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 180_000; Date.now() < limit; await sleep(100)) if (await condition()) return
  throw new Error(`Timeout while waiting for ${condition}\n${running.output()}`)
}
