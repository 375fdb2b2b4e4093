import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eq, ne, sql } from '#db/drizzle.cjs'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { createVault } from '#server/vault.ts'
import { endCollection } from '#test/support/alerts/alert-world.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testDatabase } from '#test/support/database.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { type Receivers, startReceivers } from '#test/support/targets/webhook-receivers.ts'
import { bindWebhook } from '#test/support/webhooks.ts'

/** `EVENTS=10000` runs the test in full: then the worker is killed twenty times instead of once. */
const EVENTS = Number(process.env.EVENTS ?? 50)
const KILLS = process.env.EVENTS ? 20 : 1
/** One service per receiver, each in a project of its own: so few of its mails are digests. */
const SERVICES = 25
/** Events whose runs are stored in one transaction. */
const BATCH = 50
/** Deliveries of a worker at the same time. */
const IN_FLIGHT_MAX = 50

const database = testDatabase()
const processes = workerProcesses(database.url)
const testing = testWorkers(database.url)
const agent = { id: uuidv7(), slug: 'test' }
let receivers: Receivers
let mailServer: MailServer
let services: { id: string; organizationId: string }[]

beforeEach(async () => {
  await database.db.execute(
    sql`truncate organizations, users, alert_events, webhook_deliveries, graphile_worker._private_jobs cascade`,
  )
  // 10 % of the receivers fail at first, 2 % hang.
  receivers = await startReceivers((i) => (i % 10 === 1 ? 'failing' : i % 50 === 7 ? 'hanging' : 'sound'))
  mailServer = await startMailServer()
  const organization = await database.create.organization()
  const workspace = await database.create.workspace(organization)
  await database.create.member(organization, { grants: [{ workspaceId: workspace.id, level: 1 }] })
  const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice('test:'.length) }])
  services = []
  while (services.length < SERVICES) {
    const project = await database.create.project(workspace)
    const service = await database.create.service(project)
    const url = `http://127.0.0.1:${receivers.port}${receivers.pathOf(services.length)}`
    await bindWebhook(database.db, vault, service, url)
    services.push(service)
  }
})
afterEach(async () => {
  await processes.killAll()
  await testing.stopAll()
  await receivers.close()
  await mailServer.close()
})

/** Stores runs that fail and recover the services in turn: each causes one event. */
async function storeEvents(): Promise<void> {
  const from = Date.now() - EVENTS * 10
  for (let start = 0; start < EVENTS; start += BATCH) {
    const runs = Array.from({ length: BATCH }, (_, i) => {
      const at = start + i
      const outcome = Math.floor(at / SERVICES) % 2 === 0 ? 'failure' : 'success'
      const service = services[at % SERVICES] as (typeof services)[number]
      return runOf({ service, agent, outcome, startedAt: new Date(from + at * 10) })
    })
    await database.db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 10 }))
  }
}

const settings = () => ({
  WORKER_STALE_SECONDS: '3',
  SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  BASE_URL: 'https://probes.example.com',
})

/** Waits for a count as long as it grows: on a busy machine, 10,000 messages take many minutes. */
async function untilAtLeast(what: string, goal: number, count: () => number | Promise<number>): Promise<void> {
  for (let reached = -1; reached < goal; ) {
    const before = reached
    reached = await until(what, async () => {
      const now = await count()
      return now > before ? now : null
    })
  }
}

const undelivered = () => database.db.$count(webhookDeliveries, ne(webhookDeliveries.state, 'delivered'))

test(`${EVENTS} events reach their recipients at least once while a worker is killed and another goes on`, async () => {
  const hanging = Math.ceil(EVENTS / SERVICES)
  const accepting = EVENTS - hanging
  const stored = storeEvents()
  let worker = await processes.start(settings())
  for (let kill = 1; kill <= KILLS; kill++) {
    await untilAtLeast('messages to arrive', Math.ceil((accepting * kill) / (KILLS + 2)), receivers.accepted)
    await worker.kill()
    if (kill < KILLS) worker = await processes.start(settings())
  }
  await testing.start(settings())
  await stored
  // Receivers that hang hold up nobody.
  await untilAtLeast('the other messages to arrive', accepting, receivers.accepted)
  await until('hanging receivers to be asked', async () => receivers.holding() > 0)
  expect(receivers.accepted()).toBe(accepting)
  receivers.recover()
  await until('every message to be delivered', async () => {
    // Attempts after a failure wait for up to seven hours.
    await database.db.execute(
      sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() and key like 'delivery:%'`,
    )
    return (await undelivered()) === 0
  })
  const sent = () => database.db.$count(alertMessages, eq(alertMessages.state, 'sent'))
  // What is no longer so before its mail is sent, or when its mail is repeated, is not mailed.
  const over = () => database.db.$count(alertMessages, eq(alertMessages.state, 'suppressed'))
  await untilAtLeast('mails to be sent', EVENTS, async () => {
    await endCollection(database.db)
    return (await sent()) + (await over())
  })
  await testing.stopAll()

  const events = await database.db.select().from(alertEvents)
  expect(events).toHaveLength(EVENTS)
  const deliveries = await database.db.select().from(webhookDeliveries)
  // One delivery and one mail for each event, although the job that makes them was killed too.
  expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(EVENTS)
  expect(deliveries).toHaveLength(EVENTS)
  expect(await database.db.$count(alertMessages)).toBe(EVENTS)

  // At least once, the same body in each attempt.
  const { messages } = receivers
  expect([...messages.keys()].toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted())
  expect([...messages.values()].filter(({ accepted }) => accepted === 0)).toEqual([])
  expect([...messages.values()].filter(({ bodies }) => bodies.size !== 1)).toEqual([])
  // Not again after a 200, except the deliveries that a killed worker had in flight.
  const again = [...messages.values()].reduce((sum, { accepted }) => sum + accepted - 1, 0)
  expect(again).toBeLessThanOrEqual(KILLS * IN_FLIGHT_MAX)

  // A mail that is sent again has the same id, by which mail programs drop it.
  const mailIds = new Set(mailServer.mails.map(({ headers }) => headers['message-id']))
  const mailed = await database.db.select().from(alertMessages).where(eq(alertMessages.state, 'sent'))
  expect(mailIds.size).toBeGreaterThanOrEqual(new Set(mailed.map(({ mailId }) => mailId)).size)
  expect(mailIds.size).toBeLessThanOrEqual(EVENTS)
  const mailsAgain = mailServer.mails.length - mailIds.size
  if (process.env.EVENTS)
    console.log(`${EVENTS} events: ${again} webhooks and ${mailsAgain} mails came again after ${KILLS} kills`)
}, 1_800_000)
