import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type ClientRequest, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sessionCookie } from '#server/auth/cookies.ts'
import { announce } from '#server/live/announce.ts'
import { parseSettings } from '#server/process/settings.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { createVault } from '#server/vault.ts'
import { createMember, createOrganization, createSession } from '#test/support/factories.ts'
import { measureLiveDelays } from './browser/live-delays.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { median } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'
import { countStatements, residentMb } from './programs/measures.ts'

const MEMBERS = 50
const STREAMS_PER_MEMBER = 20
const OPENED_TOGETHER = 10
const CHANGES = 20
const SECONDS = 20
/** What a change waits for at most before the next one is sent. */
const PAUSE_MS = 700
/** A worker announces changes at most this often. */
const ANNOUNCED_MS = 250
const WEB_PROCESSES = 2

type Streams = { count: () => number; next: () => Promise<void>; close: () => void }

/**
 * Opens 1,000 streams of live updates of one organization on two web processes: memory, database work while nothing
 * changes and while much changes, and the time from a change until every stream has it. Then, how late open pages show
 * what a worker finds.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  await measureStreams(report)
  await measureLiveDelays(report)
}

async function measureStreams(report: Report): Promise<void> {
  await withDatabase(async (db, url) => {
    const secretKeys = `bench:${randomBytes(32).toString('hex')}`
    const { organizationId, cookies } = await fill(db, secretKeys)
    const announceRun = () => announce(db, new Map([[organizationId, new Set([topics.run(uuidv7())])]]))
    const webs = Array.from({ length: WEB_PROCESSES }, () =>
      startChild('./programs/front.ts', {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        DATABASE_URL: url,
        SECRET_KEYS: secretKeys,
        RATE_LIMIT_ENABLED: 'false',
        LOG_LEVEL: 'error',
        NODE_ENV: 'production',
      }),
    )
    try {
      const ports = await Promise.all(webs.map(waitForPort))
      const portOf = (index: number) => ports[index % WEB_PROCESSES] as number
      // The first streams load what all share.
      const first = await openStreams(portOf, cookies.slice(0, WEB_PROCESSES))
      const before = await residentMb(webs)
      const streams = await openStreams(portOf, cookies.slice(WEB_PROCESSES))
      await sleep(5_000)
      const grownMb = (await residentMb(webs)) - before
      report.add({ name: 'memory of 1,000 streams', value: grownMb, unit: 'MB', goal: { atMost: 100 } })

      addStatements(report, 'while nothing changes', await statementsPerSecond(webs, () => sleep(SECONDS * 1_000)))
      const busy = await statementsPerSecond(webs, async () => {
        for (let announced = 0; announced < (SECONDS * 1_000) / ANNOUNCED_MS; announced++) {
          await Promise.all([announceRun(), sleep(ANNOUNCED_MS)])
        }
      })
      addStatements(report, 'with four changes a second', busy)

      const times: number[] = []
      for (let n = 0; n < CHANGES; n++) {
        await sleep(PAUSE_MS)
        const arrived = streams.next()
        const started = performance.now()
        await announceRun()
        await arrived
        times.push(performance.now() - started)
      }
      report.add({
        name: 'a change until the last stream has it',
        value: median(times),
        unit: 'ms',
        goal: { atMost: 500 },
      })
      first.close()
      streams.close()
    } finally {
      for (const web of webs) await stopChild(web, 'SIGTERM')
    }
  })
}

function addStatements(report: Report, when: string, perSecond: number): void {
  const value = perSecond / WEB_PROCESSES
  report.add({ name: `statements of a web process ${when}`, value, unit: 'a second', goal: { atMost: 1 } })
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
async function openStreams(portOf: (index: number) => number, cookies: string[]): Promise<Streams> {
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
    for (const [i, cookie] of some.entries()) requests.push(openStream(portOf(i), cookie, onMessage))
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

/** Returns how many statements the processes sent a second, without the checks of their connections. */
async function statementsPerSecond(processes: ChildProcess[], during: () => Promise<unknown>): Promise<number> {
  const before = await countStatements(processes)
  await during()
  return ((await countStatements(processes)) - before) / SECONDS
}
