import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { type AgentObservation, alertEvents, alertMessages, type EventKind, incidents } from '#db/schema/alerts.ts'
import { parseSettings, type Settings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import type { Mailing } from '#worker/tasks/alert-mail.ts'
import { sendCollected } from '#worker/tasks/collect-mails.ts'
import { createMailer } from '#worker/tasks/mail.ts'
import { notify } from '#worker/tasks/notify.ts'
import type { TestDatabase } from '../database.ts'
import type { Member, ServiceTree } from '../factories.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

// Events as the worker stores them, and the jobs that send them.

export const MAIL_VAULT = createVault([{ id: 'test', secret: 's'.repeat(32) }])

export function mailingWith(environment: Record<string, string>): Mailing {
  return { settings: parseSettings(environment), vault: MAIL_VAULT }
}

type Place = Pick<ServiceTree, 'organization' | 'workspace' | 'project'>
type Service = { id: string; name: string }

export const FAILURE = {
  summary: 'GET https://shop.example/cart: status 500, expected 200 (2 more failed)',
  cause: 'status 500, expected 200',
  status: 'failure',
  step: { stepNum: 2, method: 'GET', url: 'https://shop.example/cart', statusCode: 500 },
  assertion: { stepNum: 2, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 },
  error: null,
  phase: null,
  moreFailed: 2,
  excerpt: '{"message":"no <b>stock</b> & see https://evil.example/x"}\nline 2',
}

export type StoredEvent = { id: string; incidentId: string | null }

/** Stores the events of services of a place, with an open incident for each failure. */
export function eventsIn(database: TestDatabase, { organization, workspace, project }: Place) {
  const named = ({ id, name }: Service) => ({ id, name })
  const place = { organization: named(organization), workspace: named(workspace), project: named(project) }
  const observation = (status: 'success' | 'failure', at: Date): AgentObservation => ({
    agentId: uuidv7(),
    agentSlug: status === 'failure' ? 'eu-1' : 'us-1',
    status,
    since: at.toISOString(),
    failingRuns: status === 'failure' ? 3 : 0,
    summary: status === 'failure' ? FAILURE.summary : null,
    resultId: uuidv7(),
  })
  async function store(kind: EventKind, row: Partial<typeof alertEvents.$inferInsert>): Promise<StoredEvent> {
    const id = uuidv7()
    const values = { id, organizationId: organization.id, kind, payload: {}, ...row }
    await database.db.insert(alertEvents).values(values)
    return { id, incidentId: row.incidentId ?? null }
  }
  return {
    async failed(service: Service, at = new Date()): Promise<StoredEvent> {
      const incidentId = uuidv7()
      const resultId = uuidv7()
      const own = { id: incidentId, organizationId: organization.id, serviceId: service.id }
      const agents = [observation('failure', at), observation('success', at)]
      await database.db.insert(incidents).values({
        ...{ ...own, openedAt: at, failingSince: at, summary: FAILURE.summary, failure: FAILURE },
        ...{ firstResultId: resultId, agents },
      })
      const incident = { id: incidentId, openedAt: at, failingSince: at, summary: FAILURE.summary, downMs: null }
      const result = { id: resultId, status: 'failure', startedAt: at, agentSlug: 'eu-1', totalResponseMs: 120 }
      const payload = { ...place, service: named(service), incident, result, failure: FAILURE, agents }
      return store('service.failed', {
        serviceId: service.id,
        incidentId,
        resultId,
        payload: plain(payload),
        createdAt: at,
      })
    },
    /** Closes the incident unless the kind is that of a reminder. */
    async follow(
      kind: 'service.recovered' | 'service.reminder',
      service: Service,
      incidentId: string,
      at = new Date(),
    ): Promise<StoredEvent> {
      const isRecovery = kind === 'service.recovered'
      if (isRecovery) await database.db.update(incidents).set({ closedAt: at }).where(eq(incidents.id, incidentId))
      const failingSince = new Date(at.getTime() - 7_512_000)
      const incident = { id: incidentId, failingSince, summary: FAILURE.summary, downMs: isRecovery ? 7_512_000 : null }
      const result = isRecovery
        ? { id: uuidv7(), status: 'success', startedAt: at, agentSlug: 'eu-1', totalResponseMs: 80 }
        : null
      const failure = isRecovery ? null : FAILURE
      const agents = [observation(isRecovery ? 'success' : 'failure', failingSince)]
      const payload = { ...place, service: named(service), incident, result, failure, agents }
      return store(kind, { serviceId: service.id, incidentId, payload: plain(payload), createdAt: at })
    },
    certificate(service: Service, at = new Date(), host = 'shop.example'): Promise<StoredEvent> {
      const notAfter = new Date(at.getTime() + 7 * 86_400_000)
      const certificate = { host, notAfter, daysLeft: 7, subject: host, issuer: 'Test CA' }
      const payload = { ...place, service: named(service), certificate }
      return store('certificate.expiring', { serviceId: service.id, payload: plain(payload), createdAt: at })
    },
    agent(kind: 'agent.lost' | 'agent.back', agentId: string, at = new Date()): Promise<StoredEvent> {
      const payload = {
        organization: place.organization,
        agent: { id: agentId, slug: 'eu-1', label: 'Frankfurt' },
        lastSeenAt: at,
        services: { total: 7, names: ['Checkout', 'Search', 'Cart', 'Login', 'Home'] },
      }
      return store(kind, { agentId, payload: plain(payload), createdAt: at })
    },
  }
}

/** Payloads are stored as JSON, without dates. */
function plain(payload: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(payload))
}

export type QueuedJob = { id: string; name: string; key: string | null; payload: Record<string, unknown>; runAt: Date }

/** The queue as a test drives it. */
export function jobsIn(database: Pick<TestDatabase, 'db'>) {
  return {
    async of(name: string): Promise<QueuedJob[]> {
      const rows = await database.db.execute<Omit<QueuedJob, 'runAt'> & { run_at: string }>(sql`
        select j.id, t.identifier as name, j.key, j.payload, j.run_at from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name} order by j.id`)
      return rows.map(({ run_at, ...job }) => ({ ...job, runAt: new Date(run_at) }))
    },
    async remove(job: QueuedJob): Promise<void> {
      await database.db.execute(sql`delete from graphile_worker._private_jobs where id = ${job.id}`)
    },
    async clear(): Promise<void> {
      await database.db.execute(sql`delete from graphile_worker._private_jobs`)
    },
    /** Performs the jobs of collected messages, as the queue would after ten seconds. */
    async sendCollected(mailing: Mailing): Promise<void> {
      for (const job of await this.of('digest')) {
        await this.remove(job)
        await sendCollected(database.db, mailing, job.payload)
      }
    },
    /** Sends every queued mail, as the queue would in attempt `attempts` of 12. */
    async sendMails(settings: Settings, attempts = 1): Promise<void> {
      const mailer = createMailer(database.db, settings)
      for (const job of await this.of('mail')) {
        await mailer(job.payload, { job: { attempts, max_attempts: 12 } } as unknown as JobHelpers)
        await this.remove(job)
      }
    },
  }
}

export async function notifyOf(db: Db, mailing: Mailing, events: { id: string }[]): Promise<void> {
  for (const { id: eventId } of events) {
    const [event] = await db.select().from(alertEvents).where(eq(alertEvents.id, eventId))
    await notify(db, mailing, { organizationId: event?.organizationId ?? uuidv7(), eventId })
  }
}

/** Notifies of events, and enqueues their mails. */
export async function enqueueMailsOf(database: TestDatabase, mailing: Mailing, events: StoredEvent[]): Promise<void> {
  await notifyOf(database.db, mailing, events)
  await jobsIn(database).sendCollected(mailing)
}

/** Makes the jobs of collected messages due now. Call it again until the mail is there. */
export async function endCollection(db: Db): Promise<void> {
  await db.execute(sql`update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'digest' and j.run_at > now() and j.locked_at is null`)
}

/** Returns the message of an event for each recipient. */
export function messagesOf(database: TestDatabase, { id }: StoredEvent) {
  return database.db.select().from(alertMessages).where(eq(alertMessages.eventId, id))
}

export type MailWorld = {
  server: MailServer
  mailing: Mailing
  tree: ServiceTree
  /** A member with read on the workspace. */
  ana: Member
  events: ReturnType<typeof eventsIn>
}

/** A mail server for the test file, and for each test an organization with a member who gets its mails. */
export function mailWorld(database: TestDatabase): MailWorld {
  const world = {} as MailWorld
  beforeAll(async () => {
    world.server = await startMailServer()
    const SMTP_URL = `smtp://127.0.0.1:${world.server.port}`
    world.mailing = mailingWith({ BASE_URL: 'https://probes.example.com', SMTP_URL })
  })
  afterAll(() => world.server.close())
  beforeEach(async () => {
    world.tree = await database.create.serviceTree()
    const { organization, ids } = world.tree
    world.ana = await database.create.member(organization, { grants: [{ workspaceId: ids.workspace, level: 1 }] })
    world.events = eventsIn(database, world.tree)
  })
  afterEach(async () => {
    world.server.mails.length = 0
    await jobsIn(database).clear()
  })
  return world
}
