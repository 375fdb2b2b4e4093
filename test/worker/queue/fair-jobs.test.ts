import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { deliveryJob } from '#server/alerts/webhooks/messages.ts'
import { enqueue, enqueueMail } from '#server/schedule/jobs.ts'
import { testDatabase } from '#test/support/database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { CRONTAB } from '#worker/queue/crontab.ts'
import { type Queue, startQueue } from '#worker/queue/queue.ts'

// The real queues; the test decides when the tasks end.

const database = testDatabase()
const SENDING = 8
const MAILS = 4
const JOBS = 3
const queues: Queue[] = []
/** Deliveries and mails in flight, by their id; of a mail, `webhookId` is `mail`. */
const sending = new Map<string, { webhookId: string; end: () => void }>()
const webhookOf = new Map<string, string>()
let notified = 0
let notifying = Promise.withResolvers<void>()
notifying.resolve()

beforeAll(async () => {
  const sends = {
    max: { webhook: SENDING, mail: MAILS },
    tasks: {
      deliver: (payload: unknown) => {
        const { deliveryId } = payload as { deliveryId: string }
        const webhookId = webhookOf.get(deliveryId) as string
        return new Promise<void>((resolve) => sending.set(deliveryId, { webhookId, end: resolve }))
      },
      mail: (payload: unknown) => {
        const { to } = payload as { to: string }
        return new Promise<void>((resolve) => sending.set(to, { webhookId: 'mail', end: resolve }))
      },
    },
  }
  const none = () => {}
  const jobs = {
    concurrency: JOBS,
    tasks: {
      notify: () => {
        notified++
        return notifying.promise
      },
      ...{ upkeep: none, domains: none, remind: none, agents: none, certificates: none },
    },
  }
  const of = { databaseUrl: database.url }
  queues.push(await startQueue({ ...of, ...jobs, cron: CRONTAB }))
  queues.push(await startQueue({ ...of, tasks: sends.tasks, concurrency: SENDING + MAILS, sendingMax: sends.max }))
})
afterAll(() => Promise.all(queues.map((queue) => queue.stop())))
afterEach(async () => {
  await database.db.execute(sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where locked_at is null))`)
  endAll()
  await until('all jobs to end', async () => (await jobsLeft()) === 0)
})

async function jobsLeft(): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from graphile_worker.jobs where task_identifier in ('deliver', 'mail')`,
  )
  return row!.count
}

function endAll(): void {
  for (const [id, { end }] of [...sending]) {
    sending.delete(id)
    end()
  }
}

async function queue(organizationId: string, webhookId: string, count: number): Promise<void> {
  await database.db.transaction(async (tx) => {
    for (let i = 0; i < count; i++) {
      const id = randomUUID()
      webhookOf.set(id, webhookId)
      await enqueue(tx, 'deliver', { organizationId, deliveryId: id }, deliveryJob({ id, organizationId }, webhookId))
    }
  })
}

function queueNotification(): Promise<void> {
  return enqueue(database.db, 'notify', { organizationId: randomUUID(), eventId: randomUUID() })
}

/** Queues one delivery to each of many receivers, `<name> 0` and so on. */
async function queueToMany(organizationId: string, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await queue(organizationId, `${name} ${i}`, 1)
}

async function queueMails(organizationId: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const mail = { to: `${randomUUID()}@example.com`, subject: 'x', text: 'x' }
    await enqueueMail(database.db, organizationId, mail)
  }
}

/** Counts the deliveries in flight to these receivers; a name also stands for the many of `queueToMany`. */
const inFlightOf = (...names: string[]) =>
  [...sending.values()].filter(({ webhookId }) => names.includes(webhookId.replace(/ \d+$/, ''))).length
const reaches = (count: number, ...webhooks: string[]) =>
  until(`${count} deliveries in flight`, async () => inFlightOf(...webhooks) === count)

test('receivers that hang delay neither deliveries of other organizations nor notifications', async () => {
  const [a, b] = [randomUUID(), randomUUID()]
  await queueToMany(a, 'hanging', 40)
  await reaches(6, 'hanging')
  await queue(b, 'good', 1)
  await reaches(1, 'good')
  await queueNotification()
  await until('the notification', async () => notified === 1)
  // Each further organization still gets a permit.
  await queue(b, 'good', 20)
  expect([inFlightOf('hanging'), inFlightOf('good')]).toEqual([6, 1])
  await queue(randomUUID(), 'another', 1)
  await reaches(1, 'another')
})

test('a host that hangs holds three deliveries of an organization, and delays none to another host', async () => {
  const [organization, other] = [randomUUID(), randomUUID()]
  await queue(organization, 'hanging', 40)
  await reaches(3, 'hanging')
  await queue(organization, 'good', 1)
  await reaches(1, 'good')
  await queue(other, 'good', 1)
  await reaches(2, 'good')
  expect(inFlightOf('hanging')).toBe(3)
})

test('receivers that hang delay no mail, not even those of their own organization', async () => {
  const [organization, other] = [randomUUID(), randomUUID()]
  await queueToMany(organization, 'hanging', 20)
  await queueToMany(other, 'hanging too', 20)
  await until('all permits to be taken', async () => inFlightOf('hanging', 'hanging too') >= SENDING - 1)
  await queueMails(organization, 1)
  await reaches(1, 'mail')
  // A job that was taken before this one must have been notified too.
  const before = notified
  await queueNotification()
  await until('the notification', async () => notified === before + 1)
})

test('a mail server that hangs delays neither deliveries nor notifications', async () => {
  const [organization, other] = [randomUUID(), randomUUID()]
  await queueMails(organization, 10)
  await reaches(3, 'mail')
  await queueMails(other, 10)
  await reaches(MAILS, 'mail')
  await queue(organization, 'good', 1)
  await reaches(1, 'good')
  const before = notified
  await queueNotification()
  await until('the notification', async () => notified === before + 1)
})

test('notify jobs that hang delay neither deliveries nor mails', async () => {
  notifying = Promise.withResolvers()
  const before = notified
  for (let i = 0; i < 10; i++) await queueNotification()
  await until('all permits of other jobs to be taken', async () => notified === before + JOBS)
  const organization = randomUUID()
  await queue(organization, 'good', 1)
  await queueMails(organization, 1)
  await reaches(1, 'good')
  await reaches(1, 'mail')
  expect(notified).toBe(before + JOBS)
  notifying.resolve()
  await until('the other notifications', async () => notified === before + 10)
})

test('each queue locks its jobs under its own name', async () => {
  const [jobsPool, sendsPool] = queues.map(({ poolId }) => poolId)
  await queue(randomUUID(), 'good', 1)
  await reaches(1, 'good')
  const [job] = await database.db.execute(sql`select locked_by from graphile_worker.jobs where locked_by is not null`)
  expect(job).toEqual({ locked_by: sendsPool })
  expect(sendsPool).not.toBe(jobsPool)
})
