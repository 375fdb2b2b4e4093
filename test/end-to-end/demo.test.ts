import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { MINUTE_MS } from '#server/durations.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import { listen } from '#server/process/listen.ts'
import { openDemo } from '#test/demo/folder.ts'
import { createDemoTarget } from '#test/demo/target.ts'
import { testFolder } from '#test/support/folder.ts'
import { type Program, startProgram } from '#test/support/processes/program.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// `npm run demo`, with a quarter of a day of history.

vi.setConfig({ testTimeout: 600_000 })

const settings = { DATA_DIR: join(testFolder(), 'demo'), PORT: '0' }

type Page<T> = { items: T[]; total: number }
type Result = { id: string; status: string; startedAt: string }
type Api = <T>(method: string, path: string) => Promise<T>

test('the demo shows history that goes on, ends with Ctrl-C, and keeps its data', async () => {
  // The settings of an installation on the same machine.
  const first = startProgram('demo', { ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/production' })
  const api = await signIn(first)
  const find = async (path: string, name: string) => {
    const { items } = await api<Page<{ id: string; name: string }>>('GET', path)
    return items.find((item) => item.name === name)?.id
  }
  const shop = await find('/workspaces', 'Shop')
  const id = await find(`/services?projectId=${await find(`/projects?workspaceId=${shop}`, 'Customers')}`, 'Sign-in')
  const before = await api<Page<Result>>('GET', `/services/${id}/results`)
  expect(before.total).toBeGreaterThan(30)
  await api('POST', `/services/${id}/run?wait=30`)
  let newest: Result | undefined
  await until('a new result', async () => {
    newest = (await api<Page<Result>>('GET', `/services/${id}/results`)).items[0]
    return newest?.id !== before.items[0]?.id
  })
  expect(newest).toMatchObject({ status: 'success' })
  expect(await first.stop('SIGINT')).toBe(0)

  // The next start takes the folder as it is, and fills in nothing.
  const kept = openDemo(settings.DATA_DIR)
  expect(first.output()).toContain(kept.password)
  expect(kept.isFilled).toBe(true)
  expect(readFileSync(join(settings.DATA_DIR, 'postgres', 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/)
})

test('a folder with something else is left alone', () => {
  const open = () => openDemo(import.meta.dirname)
  expect(open).toThrow(StartupError)
  expect(open).toThrow('holds something else than a demo')
})

test('its services fail in turn, by the last call of their scripts', async () => {
  let now = 0
  const target = createDemoTarget(() => now)
  const port = await listen(target, 0, '127.0.0.1')
  const statusOf = async (method: string, path: string) =>
    (await fetch(`http://127.0.0.1:${port}/${path}`, { method })).status
  const statuses = () =>
    Promise.all([
      statusOf('POST', 'checkout/api/cart'),
      statusOf('GET', 'checkout/api/cart/c-7d1f'),
      statusOf('POST', 'checkout/api/v2/orders'),
      statusOf('GET', 'no-such-service/'),
    ])
  expect(await statuses()).toEqual([201, 200, 503, 404])
  now = 13 * MINUTE_MS
  expect(await statuses()).toEqual([201, 200, 201, 404])
  target.close()
})

/** Signs in with what the demo prints, and returns a function that calls the API with a new key. */
async function signIn(program: Program): Promise<Api> {
  await program.waitForOutput('Ctrl-C stops it')
  const [, url, email, password] = /at +(http:\S+)\s+Email +(\S+)\s+Password +(\S+)/.exec(program.output()) ?? []
  const post = async (name: string, input: object, cookie = '') => {
    const response = await fetch(`${url}/api/trpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(input),
    })
    expect(response.status, await response.clone().text()).toBe(200)
    return response
  }
  const [session = ''] = (await post('auth.signIn', { email, password })).headers.getSetCookie()
  const key = { name: `key ${Date.now()}`, access: 'write', expiresInDays: 1, password }
  const created = await (await post('account.keys.create', key, session.split(';')[0])).json()
  return async (method, path) => {
    const headers = { authorization: `Bearer ${created.result.data.key}` }
    const response = await fetch(`${url}/api/public/v1${path}`, { method, headers })
    expect(response.ok, await response.clone().text()).toBe(true)
    return response.json()
  }
}
