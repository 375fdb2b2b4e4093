import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { migrateDatabase } from '#db/migrate.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { parseSettings } from '#server/process/settings.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { killLeftovers, type Program, startProgram } from '#test/support/processes/program.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'
import { runWorker } from '#worker/run-worker.ts'

// Web as a separate program, as larger installations run it, on an external database that it shares with a worker.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const name = `separate_${randomBytes(6).toString('hex')}`
let settings: Record<string, string>
/** The first test leaves it for the next one. */
let web: Program
let port: number
const fail = (reason: string) => {
  throw new Error(reason)
}

beforeAll(async () => {
  const admin = postgres(inject('postgresUrl'), { max: 1 })
  // A role that may only use its own database: no superuser, no extensions.
  await admin.unsafe(`create role ${name} login password 'plain'`)
  await admin.unsafe(`create database ${name} owner ${name}`)
  await admin.end()
  const url = new URL(withDatabase(inject('postgresUrl'), name))
  url.username = name
  url.password = 'plain'
  settings = {
    DATABASE_URL: url.href,
    SECRET_KEYS: `k1:${randomBytes(32).toString('hex')}`,
    HOST: '127.0.0.1',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'soundline-separate-')),
  }
  await buildDashboard(() => {}, new AbortController().signal)
})

afterAll(async () => {
  if (web) killLeftovers([web])
  const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  await admin.unsafe(`drop database if exists ${name} with (force)`)
  await admin.unsafe(`drop role ${name}`)
  await admin.end()
})

test('migrate twice at once, then a web and a worker share the database', async () => {
  const { DATABASE_URL = '' } = settings
  await Promise.all([migrateDatabase(DATABASE_URL), migrateDatabase(DATABASE_URL)])

  port = await freePort()
  web = startProgram('web', { ...settings, PORT: String(port) }, { keep: true })
  await using stops = new AsyncDisposableStack()
  await runWorker(parseSettings(settings), stops, fail)
  await web.waitForOutput('there is no account yet')
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/setup`)).status).toBe(200)
  const [, token] = /\/setup#([\w-]{43})/.exec(web.output()) ?? []
  const link = await fetch(`http://127.0.0.1:${port}/api/trpc/setup.link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect(link.status).toBe(200)
})

test('a web that is stopping finishes its request and accepts no new one', async () => {
  const answer = Promise.withResolvers<number | undefined>()
  const body = '{"email":"nobody@example.com","password":"wrong horse"}'
  const pending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/trpc/auth.signIn',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  pending.on('response', (response) => answer.resolve(response.resume().statusCode))
  pending.on('error', answer.reject)
  pending.flushHeaders()
  // Web has the request.
  await once(pending, 'continue')
  pending.write(body.slice(0, 10))
  const stopped = web.stop('SIGTERM')
  const accepts = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      () => true,
      () => false,
    )
  await expect.poll(accepts).toBe(false)
  pending.end(body.slice(10))
  expect(await answer.promise).toBe(401)
  expect(await stopped).toBe(0)
})
