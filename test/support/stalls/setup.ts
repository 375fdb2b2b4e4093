import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { and, eq, lte, sql } from '#db/drizzle.cjs'
import { schedules } from '#db/schema/runs.ts'
import { sessionCookie } from '#server/identity/auth/cookies.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import {
  createKey,
  createOrganization,
  createProject,
  createService,
  createSession,
  createWorkspace,
  type Member,
} from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createProbedService, makeDue, type ProbedService, requestRunOf, resultsOf } from '#test/support/runs/probed.ts'
import { type GaugedProcess, startGaugedProcess } from './gauged-process.ts'

/** A response of the web process. A status over 499 throws instead. */
export type Answer = { status: number; text: string }

/** A web process and a worker with a gauge each, on one database, and a member with all permissions. */
export type StallSetup = {
  db: Db
  web: GaugedProcess
  worker: GaugedProcess
  organizationId: string
  projectId: string
  /** An inactive service, at version 1. */
  serviceId: string
  /** An open incident of the service. */
  incidentId: string
  /** Calls the public API with a key that can write. `path` is relative to `/api/public/v1`. */
  api: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** Calls an operation of the dashboard, signed in. A string body is sent unchanged. */
  rpc: (operation: string, body: unknown) => Promise<Answer>
  /** Sends a GET request like a browser, signed in. */
  get: (target: string) => Promise<Answer>
  /** Sends any request to the web process, not signed in unless the headers say so. */
  send: (target: string, init?: RequestInit) => Promise<Answer>
  /** Runs a script once in the worker and returns its result. The script can reach loopback. */
  probe: (script: string, given?: Parameters<typeof createProbedService>[2]) => Promise<{ status: string }>
  /** Makes the service due, and waits until the worker has dispatched it. */
  dispatch: (service: ProbedService) => Promise<void>
  close: () => Promise<void>
}

/** Starts both over a migrated database. */
export async function startStallSetup(databaseUrl: string): Promise<StallSetup> {
  await buildDashboard(() => {}, new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-stalls-'))
  const environment = {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: `stalls:${randomBytes(32).toString('hex')}`,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    RATE_LIMIT_ENABLED: 'false',
    SCHEDULE_SPREAD_SECONDS: '0',
  }
  const db = openDatabase(databaseUrl, { max: 4, name: 'soundline-stalls' })
  const [web, worker] = await Promise.all([
    startGaugedProcess('../../../server/commands/web.ts', environment),
    startGaugedProcess('../../../worker/main.ts', environment),
  ])

  const { owner } = await createOrganization(db)
  const project = await createProject(db, await createWorkspace(db, { id: owner.organizationId }))
  const service = await createService(db, project)
  const incident = await createIncident(db, service)
  const { token } = await createKey(db, owner)
  const cookie = await signIn(db, owner, environment)
  const send = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${web.port}${target}`, init)
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${target} answered ${response.status}: ${text}`)
    return { status: response.status, text }
  }
  const json = { 'content-type': 'application/json' }
  const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

  return {
    db,
    web,
    worker,
    organizationId: owner.organizationId,
    projectId: project.id,
    serviceId: service.id,
    incidentId: incident.id,
    send,
    api: (method, path, body) =>
      send(`/api/public/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...json },
        ...(body === undefined ? {} : { body: textOf(body) }),
      }),
    get: (target) => send(target, { headers: { cookie } }),
    rpc: (operation, body) =>
      send(`/api/trpc/${operation}`, {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...json },
        body: textOf(body),
      }),
    async probe(script, given) {
      const probed = await createProbedService(db, script, given)
      await requestRunOf(db, probed)
      for (;;) {
        const [result] = await resultsOf(db, probed)
        if (result) return result
        await sleep(20)
      }
    },
    async dispatch(probed) {
      await makeDue(db, probed)
      const isDue = and(eq(schedules.serviceId, probed.id), lte(schedules.nextRunAt, sql`now()`))
      while ((await db.$count(schedules, isDue)) > 0) await sleep(20)
    },
    async close() {
      await Promise.all([web.kill(), worker.kill()])
      await closeDatabase(db)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a session of a member and returns its cookie, `name=value`. */
export async function signIn(db: Db, member: Member, environment: Record<string, string>): Promise<string> {
  const settings = parseSettings(environment)
  const id = await createSession(db, member)
  const vault = createVault(settings.SECRET_KEYS ?? [])
  const header = await sessionCookie({ settings, vault, now: () => new Date() }, id)
  return header.split(';')[0] as string
}
