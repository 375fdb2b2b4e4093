import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { sql } from '#db/drizzle.cjs'
import { checkDatabase } from '#server/process/check-database.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import { makeCertificate } from '#test/support/certificates.ts'
import { startTlsProxy, type TlsProxy } from '#test/support/processes/tls-proxy.ts'

// The effect of `sslmode` on the driver of web, worker and migrations, and on that of the job queue.

type Server = 'plain' | 'valid' | 'self_signed' | 'wrong_host' | 'expired'
const SERVERS: Server[] = ['plain', 'valid', 'self_signed', 'wrong_host', 'expired']

const folder = mkdtempSync(join(tmpdir(), 'soundline-tls-'))
const proxies = new Map<Server, TlsProxy>()
const warnings: Error[] = []
const onWarning = (warning: Error) => warnings.push(warning)

beforeAll(async () => {
  process.on('warning', onWarning)
  for (const server of SERVERS) {
    const certificate = server === 'plain' ? null : await makeCertificate(server)
    if (certificate) writeFileSync(join(folder, `${server}.pem`), certificate.ca)
    proxies.set(server, await startTlsProxy(inject('postgresUrl'), certificate))
  }
})
afterAll(() => {
  process.off('warning', onWarning)
  for (const proxy of proxies.values()) proxy.close()
})

function urlOf(server: Server, sslmode: string | null, root: boolean): string {
  const url = new URL(inject('postgresUrl'))
  url.hostname = 'localhost'
  url.port = String(proxies.get(server)?.port)
  if (sslmode) url.searchParams.set('sslmode', sslmode)
  if (root) url.searchParams.set('sslrootcert', join(folder, `${server}.pem`))
  return url.href
}

/** Connects with both drivers in turn: returns `encrypted`, `plain` or the refusal. */
async function reach(server: Server, url: string): Promise<string> {
  const before = proxies.get(server)?.encrypted() as number
  const db = openDatabase(url, { name: 'soundline-test-tls', max: 1 })
  const pool = openQueuePool(url, { name: 'soundline-test-tls', max: 1, statementMs: 5_000 })
  const told = async (ask: PromiseLike<unknown>) => {
    const had = proxies.get(server)?.encrypted() as number
    try {
      await ask
      return (proxies.get(server)?.encrypted() as number) > had ? 'encrypted' : 'plain'
    } catch {
      return 'refused'
    }
  }
  const both = [await told(db.execute(sql`select 1`)), await told(pool.query('select 1'))]
  await Promise.all([closeDatabase(db), pool.end()])
  expect(before).toBeGreaterThanOrEqual(0)
  expect(both[0]).toBe(both[1])
  return both[0] as string
}

/** Of servers without an encryption, with a valid certificate and with an expired one. No authority is known. */
const EXPECTED: [string | null, string[]][] = [
  [null, ['plain', 'encrypted', 'encrypted']],
  ['disable', ['plain', 'plain', 'plain']],
  ['prefer', ['plain', 'encrypted', 'encrypted']],
  ['require', ['refused', 'encrypted', 'encrypted']],
  ['no-verify', ['refused', 'encrypted', 'encrypted']],
  ['verify-ca', ['refused', 'refused', 'refused']],
  ['verify-full', ['refused', 'refused', 'refused']],
]
/** Of servers whose certificate is valid, self-signed, of another name and expired. Its authority is known. */
const WITH_ROOT: [string, string[]][] = [
  ['require', ['encrypted', 'refused', 'encrypted', 'refused']],
  ['verify-ca', ['encrypted', 'refused', 'encrypted', 'refused']],
  ['verify-full', ['encrypted', 'refused', 'refused', 'refused']],
]

describe('sslmode', () => {
  test.each(EXPECTED)('%s', async (sslmode, expected) => {
    const found: string[] = []
    for (const server of ['plain', 'valid', 'expired'] as const) {
      found.push(await reach(server, urlOf(server, sslmode, false)))
    }
    expect(found).toEqual(expected)
  })

  test.each(WITH_ROOT)('%s with sslrootcert', async (sslmode, expected) => {
    const found: string[] = []
    for (const server of SERVERS.slice(1)) found.push(await reach(server, urlOf(server, sslmode, true)))
    expect(found).toEqual(expected)
  })

  test('logs no warning of a driver', () => {
    expect(warnings).toEqual([])
  })

  test.each([
    ['sslmode=maybe', /^DATABASE_URL: sslmode must be disable, prefer, require, verify-ca or verify-full$/],
    [
      'sslmode=verify-ca&sslrootcert=/nowhere.pem',
      /^DATABASE_URL: sslrootcert \/nowhere\.pem cannot be read \(ENOENT\)$/,
    ],
    ['sslmode=verify-full', /^DATABASE_URL: the database at localhost:\d+ cannot be used \(.*certificate/],
  ])('%s is refused at the start in one line', async (query, line) => {
    const refused = await checkDatabase(`${urlOf('self_signed', null, false)}?${query}`).catch((error: Error) => error)
    expect(refused).toBeInstanceOf(StartupError)
    expect((refused as Error).message).toMatch(line)
  })
})
