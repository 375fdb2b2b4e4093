import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type ClientRequest, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sessionCookie } from '#server/auth/cookies.ts'
import { announce } from '#server/live/announce.ts'
import { parseSettings } from '#server/process/settings.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { createVault } from '#server/vault.ts'
import { createMember, createOrganization, createSession } from '#test/support/factories.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { median, withDatabase } from './database.ts'

const MEMBERS = 50
const STREAMS_PER_MEMBER = 20
const OPENED_TOGETHER = 10
const CHANGES = 20
const IDLE_SECONDS = 20
/** What a change waits for at most before the next one is sent. */
const PAUSE_MS = 700

type Streams = { count: () => number; next: () => Promise<void>; close: () => void }

/**
 * Opens 1,000 streams of live updates of one organization on one web process: memory, database work while nothing changes,
 * and the time from a change until every stream has it.
 */
export async function run(): Promise<void> {
  await withDatabase(async (db, url) => {
    const secretKeys = `bench:${randomBytes(32).toString('hex')}`
    const { organizationId, cookies } = await fill(db, secretKeys)
    const web = startChild('./programs/front.ts', {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      DATABASE_URL: url,
      SECRET_KEYS: secretKeys,
      RATE_LIMIT_ENABLED: 'false',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    })
    try {
      const port = await waitForPort(web)
      const idle = await transactionsPerSecond(db)
      // The first streams load what all share.
      const first = await openStreams(port, cookies.slice(0, 1))
      const before = await residentMb(web.pid)
      const streams = await openStreams(port, cookies.slice(1))
      await sleep(5_000)
      const grownMb = (await residentMb(web.pid)) - before
      console.log(`memory of ${streams.count()} streams: ${grownMb.toFixed(0)} MB (goal: at most 100)`)

      const more = (await transactionsPerSecond(db)) - idle
      console.log(`database transactions while nothing changes: ${more.toFixed(2)} a second more (goal: at most 1)`)

      const times: number[] = []
      for (let n = 0; n < CHANGES; n++) {
        await sleep(PAUSE_MS)
        const arrived = streams.next()
        const started = performance.now()
        await announce(db, new Map([[organizationId, new Set([topics.run(uuidv7())])]]))
        await arrived
        times.push(performance.now() - started)
      }
      console.log(`a change until the last stream has it: median ${median(times).toFixed(0)} ms (goal: at most 500)`)
      first.close()
      streams.close()
    } finally {
      await stopChild(web, 'SIGTERM')
    }
  })
}

/** Creates the members, and returns a session cookie for each stream. */
async function fill(db: Db, secretKeys: string): Promise<{ organizationId: string; cookies: string[] }> {
  const settings = parseSettings({ SECRET_KEYS: secretKeys })
  const sealing = { settings, vault: createVault(settings.SECRET_KEYS ?? []), now: () => new Date() }
  const organization = await createOrganization(db)
  const cookies: string[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const member = await createMember(db, organization)
    const cookie = (await sessionCookie(sealing, await createSession(db, member))).split(';')[0] as string
    cookies.push(...Array<string>(STREAMS_PER_MEMBER).fill(cookie))
  }
  return { organizationId: organization.id, cookies }
}

/** Opens a stream per cookie, a few at a time: many at once would be refused. Resolves when each has had a message. */
async function openStreams(port: number, cookies: string[]): Promise<Streams> {
  const requests: ClientRequest[] = []
  let left = 0
  let all = Promise.withResolvers<void>()
  const onMessage = () => {
    if (--left === 0) all.resolve()
  }
  for (let from = 0; from < cookies.length; from += OPENED_TOGETHER) {
    const some = cookies.slice(from, from + OPENED_TOGETHER)
    left = some.length
    all = Promise.withResolvers<void>()
    for (const cookie of some) requests.push(openStream(port, cookie, onMessage))
    await all.promise
  }
  return {
    count: () => cookies.length,
    next() {
      left = cookies.length
      all = Promise.withResolvers<void>()
      return all.promise
    },
    close() {
      for (const request of requests) request.destroy()
    },
  }
}

function openStream(port: number, cookie: string, onMessage: () => void): ClientRequest {
  const path = `/api/trpc/live.changes?input=${encodeURIComponent('{"ageMs":0}')}`
  const request = get({ port, host: '127.0.0.1', path, agent: false, headers: { cookie } }, (response) => {
    if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}`)
    response.setEncoding('utf8').on('data', (text: string) => {
      for (const _ of text.matchAll(/^data: \{"isLive":true/gm)) onMessage()
    })
  })
  return request.on('error', () => {})
}

async function residentMb(pid: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1_024
}

/** Both pools check their idle connections, so only the difference between two measurements counts. */
async function transactionsPerSecond(db: Db): Promise<number> {
  const before = await countTransactions(db)
  await sleep(IDLE_SECONDS * 1_000)
  return ((await countTransactions(db)) - before) / IDLE_SECONDS
}

async function countTransactions(db: Db): Promise<number> {
  // Backends report their counts about once a second.
  await sleep(1_500)
  const [row] = await db.execute<{ count: number }>(sql`
    select xact_commit::int as count from pg_stat_database where datname = current_database()`)
  return row?.count ?? 0
}
