import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { and, eq, gte, isNull, sql } from '#db/drizzle.cjs'
import { incidentChanges, incidents } from '#db/schema/alerts.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { domains } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import type { Runtime } from '#server/context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import { createCaller } from '#server/router.ts'
import { loadActor, NO_COOKIES } from '#test/support/api/api.ts'
import { createAgent, createMember, createOrganization, createSession, type Member } from '#test/support/factories.ts'
import { type Agent, type CreatedService, storeMonth } from './month.ts'
import { DOMAINS, PEOPLE, type PlannedService, SERVICES } from './services.ts'

type Caller = ReturnType<typeof createCaller>
export type Installation = {
  /** The member who looks at the pages. */
  viewer: Member
  /** Ids by name. */
  services: Map<string, string>
  projects: Map<string, string>
}

const AGENTS = [
  { slug: 'eu-west', label: 'Europe West' },
  { slug: 'us-east', label: 'US East' },
]

export type History = {
  days?: number
  /** Workers of the agents will run; otherwise rows stand in for them. */
  hasWorkers?: boolean
  /** Changes a service before it is created. */
  change?: (service: PlannedService) => PlannedService
}

/** Creates an organization with a month of history. Members make the changes by the operations of the dashboard. */
export async function createInstallation(
  runtime: Runtime,
  now: Date,
  { days = 30, hasWorkers = false, change = (service) => service }: History = {},
): Promise<Installation> {
  const { db } = runtime
  const { id } = await createOrganization(db, { name: 'Northwind' })
  const members: Member[] = []
  const people = new Map<string, Caller>()
  for (const name of PEOPLE) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.example`
    const member = await createMember(db, { id }, { email, displayName: name, sections: ALL, isEmailVerified: true })
    members.push(member)
    people.set(name, await callerOf(runtime, member))
  }
  await db
    .insert(domains)
    .values(
      DOMAINS.map((domain) => ({ id: uuidv7(), organizationId: id, domain, token: randomUUID(), verifiedAt: now })),
    )
  const agents = await createAgents(db, hasWorkers)
  const projects = await createProjects(people.get('Ben Okafor') as Caller)
  const created: CreatedService[] = []
  for (const plan of SERVICES) created.push(await createPlanned(db, id, change(plan), projects, people, now))
  await storeMonth(db, created, agents, runtime.settings, { now, days })
  await changeIncident(db, people.get('Ana Lima') as Caller)
  const ids = new Map(created.map((service) => [service.plan.name, service.id]))
  return { viewer: members[0] as Member, projects, services: ids }
}

const ALL = { users: 'write', settings: 'write', domains: 'write', webhooks: 'write', workspaces: 'write' } as const

async function callerOf(runtime: Runtime, member: Member): Promise<Caller> {
  const sessionId = await createSession(runtime.db, member)
  return createCaller({
    ...runtime,
    actor: await loadActor(runtime.db, member, sessionId),
    address: '127.0.0.1',
    requestId: randomUUID(),
    origin: 'http://localhost',
    session: { ...NO_COOKIES, userAgent: 'screenshots', unenrolled: null },
  })
}

/** Agents, by default with a worker that stays alive while the screenshots are taken. */
async function createAgents(db: Db, hasWorkers: boolean): Promise<Agent[]> {
  const agents = await Promise.all(AGENTS.map((agent) => createAgent(db, agent)))
  if (hasWorkers) return agents
  const heartbeatAt = new Date(Date.now() + HOUR_MS)
  await db
    .insert(workers)
    .values(
      agents.map(({ id, slug }) => ({ id: uuidv7(), agentId: id, poolId: slug, host: slug, pid: 1, heartbeatAt })),
    )
  return agents
}

async function createProjects(caller: Caller): Promise<Map<string, string>> {
  const workspaces = new Map<string, string>()
  const projects = new Map<string, string>()
  for (const { workspace, project } of SERVICES) {
    if (!workspaces.has(workspace)) workspaces.set(workspace, (await caller.workspaces.create({ name: workspace })).id)
    if (projects.has(project)) continue
    const workspaceId = workspaces.get(workspace) as string
    projects.set(project, (await caller.projects.create({ workspaceId, name: project })).id)
  }
  return projects
}

async function createPlanned(
  db: Db,
  organizationId: string,
  plan: PlannedService,
  projects: Map<string, string>,
  people: Map<string, Caller>,
  now: Date,
): Promise<CreatedService> {
  const { name, label = null, everyMinutes, earlier = [], script } = plan
  const startedAt = new Date()
  const first = await (people.get('Ben Okafor') as Caller).services.create({
    ...{ projectId: projects.get(plan.project) as string, name, label },
    schedule: `*/${everyMinutes} * * * *`,
    script: earlier[0]?.script ?? script,
  })
  await moveChanges(db, startedAt, new Date(now.getTime() - 31 * DAY_MS))
  await db
    .update(services)
    .set({ createdAt: new Date(now.getTime() - 31 * DAY_MS) })
    .where(eq(services.id, first.id))
  for (const [i, { by, replacedMinutesAgo }] of earlier.entries()) {
    const text = earlier[i + 1]?.script ?? script
    await (people.get(by) as Caller).services.saveScript({ id: first.id, script: text, version: i + 2 })
    await moveChanges(db, startedAt, new Date(now.getTime() - replacedMinutesAgo * MINUTE_MS))
  }
  if (plan.isPaused) {
    await (people.get('Mira Novak') as Caller).services.toggle({ id: first.id, isActive: false })
    await moveChanges(db, startedAt, new Date(now.getTime() - 3 * DAY_MS))
  }
  return { id: first.id, organizationId, plan }
}

/** Moves what was changed since `from` to another time. */
async function moveChanges(db: Db, from: Date, to: Date): Promise<void> {
  for (const table of [auditEntries, scriptVersions]) {
    await db.update(table).set({ createdAt: to }).where(gte(table.createdAt, from))
  }
}

async function changeIncident(db: Db, caller: Caller): Promise<void> {
  const [open] = await db
    .select()
    .from(incidents)
    .where(and(isNull(incidents.closedAt)))
  if (!open) throw new Error('No service is failing')
  await caller.incidents.acknowledge({ id: open.id })
  await caller.incidents.addNote({
    id: open.id,
    text: 'The payment provider reports problems. I am in contact with them.',
  })
  const [self] = (await caller.incidents.assignees({ id: open.id })).filter(({ isCaller }) => isCaller)
  await caller.incidents.update({
    id: open.id,
    assigneeId: self?.orgUserId,
    severity: 'critical',
    postMortem:
      '## Cause\n\nThe payment provider **rejects** our certificate since 09:12.\n\n## Next\n\n1. Renew it a week earlier.\n2. Add `certificate.expiring` to the on-call channel.',
  })
  // What the members did took no time; the incident is older than that.
  await db.update(incidents).set({ acknowledgedAt: sql`now() - interval '6 minutes'` }).where(eq(incidents.id, open.id))
  await db.update(incidentChanges).set({ createdAt: sql`now() - interval '6 minutes'` })
}
