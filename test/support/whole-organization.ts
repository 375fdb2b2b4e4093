import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { agentEnrolments, agentKeys } from '#db/schema/agents.ts'
import { alertMessages, certificates, lostAgents } from '#db/schema/alerts.ts'
import { keyUsage } from '#db/schema/audit.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import { idempotentAnswers } from '#db/schema/idempotency.ts'
import { agentExclusions } from '#db/schema/resources.ts'
import * as stored from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { webhookAttempts, webhookDeliveries } from '#db/schema/webhooks.ts'
import { hashPassword } from '#server/identity/auth/passwords.ts'
import type { TestApi } from './api/api.ts'
import { unique } from './factories.ts'
import { createIncident, createIncidentEvent } from './runs/incidents.ts'
import { createResult, forgetStore, setState, step } from './runs/results.ts'

export type WholeOrganization = Awaited<ReturnType<typeof createWholeOrganization>>
/** What each kind of reference to the organization names. */
export type OwnIds = WholeOrganization['ids']

/** The owner's password. */
export const PASSWORD = 'correct horse battery'
const SCRIPT = 'get("https://shop.example/").expect(status: 200)'

/**
 * Creates an organization with a row in every table of organizations, and with `word` in everything that has a name. It
 * does not use the shared agent `excludedAgentId`.
 */
export async function createWholeOrganization(api: TestApi, excludedAgentId: string, word: string) {
  const { db, create } = api
  const name = () => unique(word)
  const organization = await create.organization({ name: name() })
  const { id: organizationId, owner } = organization
  const email = `${name()}@example.com`
  await db.execute(sql`
    update users set email = ${email}, password_hash = ${await passwordHash}, email_verified_at = now()
    where id = ${owner.userId}`)
  // Who owns one organization only cannot remove it.
  await create.member(await create.organization(), { userId: owner.userId, isOwner: true })
  const call = await api.caller(owner)
  const token = await create.key(owner, { name: name() })
  const sessionId = await create.session(owner)
  const group = await create.group(organization, { name: name() })
  const member = await create.member(organization, { groups: [group], email: `${name()}@example.com` })
  const agent = await create.agent({ organizationId, slug: name() })
  const spare = await create.agent({ organizationId, slug: name() })
  const workspace = await create.workspace(organization, { name: name() })
  const project = await create.project(workspace, { name: name() })
  const service = await create.service(project, { name: name(), label: name(), script: SCRIPT, version: 2 })
  await create.grant(organization, { groupId: group.id }, { projectId: project.id, level: 1 })
  const onProject = { resourceType: 'project', resourceId: project.id } as const
  const onWorkspace = { resourceType: 'workspace', resourceId: workspace.id } as const

  // A draft needs a live worker.
  await db.insert(workers).values({ id: uuidv7(), agentId: agent.id, poolId: name(), host: name(), pid: 1 })

  // What only operations write consistently: encrypted values, deletions, batches.
  await call.services.agents.set({ id: service.id, slugs: [agent.slug] })
  await call.services.toggle({ id: service.id, isActive: true })
  const saved = await call.services.saveScript({ id: service.id, version: 2, script: `${SCRIPT}\n// ${name()}` })
  const variable = () => ({ key: name().replaceAll('-', '_'), value: name(), type: 'variable' as const })
  const ofOrganization = await call.variables.organization.create(variable())
  const ofWorkspace = await call.variables.workspace.create({ id: workspace.id, ...variable() })
  const ofProject = await call.variables.project.create({ id: project.id, ...variable() })
  const serviceKey = variable()
  const ofService = await call.variables.service.create({ id: service.id, ...serviceKey })
  const webhook = await call.organization.webhooks.create({ name: name(), url: 'https://hooks.example/' })
  const binding = await call.webhooks.bindings.create({ ...onProject, webhookId: webhook.id })
  const silence = await call.silences.create({ channel: 'email', serviceId: service.id })
  const view = await call.status.views.create({ name: name(), query: `q=${name()}` })
  const maintenance = await call.maintenances.create({ serviceId: service.id, minutes: 20, note: name() })
  await call.follows.create(onWorkspace)
  await call.access.set({ ...onWorkspace, principalType: 'user', principalId: member.userId, permissions: 1 })
  const projectToken = await call.projects.metricsTokens.create({ id: project.id, name: name() })
  await call.organization.members.invite({ email: `${name()}@example.com` })
  const [invitation] = (await call.organization.invitations.list()).items
  const domain = await call.organization.domains.add({ domain: `${name()}.example` })
  const draft = await call.drafts.start({ serviceId: service.id, script: SCRIPT })
  const batch = await call.projects.run({ id: project.id, note: name() })
  const run = await call.services.run({ id: service.id, variables: { [`s.${serviceKey.key}`]: name() }, note: name() })
  const gone = await create.service(project, { name: name() })
  await call.services.remove({ id: gone.id })

  // What workers and the passing of time write.
  const made = step({ template: `https://${word}.example/`, error: name() })
  const seen = { agentId: agent.id, agentSlug: agent.slug }
  const result = await createResult(db, service, {
    ...seen,
    status: 'failure',
    summary: name(),
    scriptVersion: 3,
    steps: [made],
  })
  const incident = await createIncident(db, service, { summary: name(), firstResultId: result.id })
  await call.incidents.addNote({ id: incident.id, text: name() })
  await call.incidents.acknowledge({ id: incident.id })
  await call.incidents.update({ id: incident.id, assigneeId: owner.membershipId, postMortem: name() })
  const event = await createIncidentEvent(db, incident)
  const ofEvent = { id: uuidv7(), organizationId, eventId: event.id }
  await db
    .insert(alertMessages)
    .values({ ...ofEvent, channel: 'email', membershipId: owner.membershipId, heardThrough: [], state: 'sent' })
  await db
    .insert(webhookDeliveries)
    .values({ ...ofEvent, webhookId: webhook.id, kind: 'service.failed', payload: { name: name() }, state: 'failed' })
  await db.insert(webhookAttempts).values({
    id: uuidv7(),
    organizationId,
    deliveryId: ofEvent.id,
    startedAt: new Date(),
    latencyMs: 1,
    error: name(),
  })
  const at = new Date()
  const [hour, day] = [
    new Date(at.toISOString().slice(0, 13).concat(':00:00Z')),
    new Date(at.toISOString().slice(0, 10)),
  ]
  const place = { organizationId, serviceId: service.id }
  await setState(db, service, {
    lastStatus: 'failure',
    lastResultId: result.id,
    lastRunAt: at,
    isAlerting: true,
    failingRuns: 1,
  })
  await db.insert(stored.serviceAgentStates).values({
    ...place,
    ...seen,
    startedAt: at,
    resultId: result.id,
    status: 'failure',
    statusSince: at,
    serviceRuns: 1,
  })
  await db.insert(stored.runDays).values({ ...place, day, agentSlug: agent.slug, runsByHour: [], failedByHour: [] })
  const endpoint = { endpointKey: name(), method: 'GET', template: `https://${word}.example/` }
  await db.insert(stored.endpointHours).values({ ...place, hour, ...endpoint })
  await db.insert(stored.endpointDays).values({ ...place, day, ...endpoint })
  const assertion = {
    assertionKey: name(),
    definition: {
      method: 'GET',
      template: `https://${word}.example/`,
      kind: 'expect',
      scope: 'status',
      op: 'eq',
      expected: 200,
    },
    evaluations: 1,
    failures: 1,
    lastFailedAt: at,
  }
  await db.insert(stored.assertionHours).values({ ...place, hour, ...assertion })
  await db.insert(stored.assertionDays).values({ ...place, day, ...assertion })
  await db
    .insert(stored.versionRuns)
    .values({ ...place, version: 3, firstRunAt: at, lastRunAt: at, runs: 1, failed: 1 })
  await db.insert(certificates).values({ ...place, host: `${word}.example`, notAfter: at, seenAt: at })
  await db.insert(lostAgents).values({ organizationId, agentId: agent.id, lostAt: at })
  await db.insert(agentExclusions).values({ organizationId, agentId: excludedAgentId })
  const keyId = uuidv7()
  await db.insert(agentKeys).values({ id: keyId, agentId: agent.id, publicKey: bytes(32), name: name() })
  await db
    .insert(agentEnrolments)
    .values({ id: uuidv7(), organizationId, agentId: agent.id, tokenDigest: bytes(32), expiresAt: at })
  const answer = { digest: bytes(32), request: bytes(32), status: 200, sealed: bytes(64), isFinal: true }
  await db.insert(idempotentAnswers).values({ id: uuidv7(), organizationId, keyId: token.id, ...answer })
  await db
    .insert(keyUsage)
    .values({ organizationId, keyId: token.id, operation: 'getKey', hour, requests: 1, refused: 0, lastUsedAt: at })
  const storeId = uuidv7()
  await db.insert(bodyStores).values({ id: storeId, organizationId, label: name(), url: `file:///${name()}` })
  await forgetStore(db, organizationId, await anotherStore(db, organizationId, name()), at)

  return {
    owner,
    ids: {
      organization: organizationId,
      workspace: workspace.id,
      project: project.id,
      service: service.id,
      deletion: gone.id,
      result: result.id,
      step: made.id,
      run: run.runId,
      batch: batch.id,
      draft: draft.id,
      incident: incident.id,
      organizationVariable: ofOrganization.id,
      workspaceVariable: ofWorkspace.id,
      projectVariable: ofProject.id,
      serviceVariable: ofService.id,
      webhook: webhook.id,
      binding: binding.id,
      delivery: ofEvent.id,
      silence: silence.id,
      view: view.id,
      maintenance: maintenance.id,
      token: projectToken.info.id,
      invitation: String(invitation?.id),
      domain: domain.id,
      group: group.id,
      user: member.userId,
      membership: owner.membershipId,
      key: token.id,
      session: sessionId,
      agent: agent.id,
      slug: agent.slug,
      spareSlug: spare.slug,
      agentKey: keyId,
      bodyStore: storeId,
      version: String(saved.version),
      name: organization.name,
      email,
    },
  }
}

const passwordHash = hashPassword(PASSWORD)

function bytes(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => Math.floor(Math.random() * 256)))
}

async function anotherStore(db: Db, organizationId: string, label: string): Promise<string> {
  const id = uuidv7()
  await db.insert(bodyStores).values({ id, organizationId, label, url: `file:///${label}` })
  return id
}
