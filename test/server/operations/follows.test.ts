import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { follows } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { grants, silences } from '#db/schema/scoped.ts'
import { FOLLOWS_MAX } from '#server/schemas/alerts/follows.ts'
import { RESOURCE_TYPES } from '#server/schemas/scopes.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import type { Group, Member, Organization } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-06-03T12:00:00Z')
const api = testApi({ now: () => NOW })

let organization: Organization
let group: Group
let tree: Awaited<ReturnType<typeof createTree>>

async function createTree() {
  const workspace = await api.create.workspace(organization, { name: `Shop ${randomUUID()}` })
  const project = await api.create.project(workspace, { name: 'Checkout' })
  const service = await api.create.service(project, { name: 'Pay' })
  return { workspace, project, service }
}

beforeAll(async () => {
  organization = await api.create.organization()
  group = await api.create.group(organization, { name: 'DevOps' })
  tree = await createTree()
})

/** The resources of the tree as the operations name them. */
const resources = (of = tree) =>
  RESOURCE_TYPES.map((resourceType) => ({ resourceType, resourceId: of[resourceType].id, name: of[resourceType].name }))
const service = () => ({ resourceType: 'service', resourceId: tree.service.id }) as const
const member = (given: Parameters<typeof api.create.member>[1] = {}) => api.create.member(organization, given)
const reader = () => member({ sections: { workspaces: 'read' } })
const callerOf = (one: Member) => api.caller(one)

async function silence(one: Member, given: Partial<typeof silences.$inferInsert>): Promise<string> {
  const id = uuidv7()
  const { organizationId, membershipId } = one
  await api.db.insert(silences).values({ id, organizationId, membershipId, channel: 'all', ...given })
  return id
}

describe('follows.create and follows.remove', () => {
  test('follow each type of resource without a grant, and stop', async () => {
    const caller = await callerOf(await reader())
    const own = await createTree()
    for (const { name, ...resource } of resources(own)) {
      expect(await caller.follows.get(resource)).toMatchObject({ name, isFollowing: false, mayFollow: true })
      expect(await caller.follows.create(resource)).toEqual({ ok: true })
      const { resourceType } = resource
      const through = { kind: 'follow', group: null, resourceType, resourceName: name }
      expect(await caller.follows.get(resource)).toMatchObject({ isFollowing: true, heardThrough: [through] })
      expect(await caller.follows.remove(resource)).toEqual({ ok: true })
      expect(await caller.follows.get(resource)).toMatchObject({ isFollowing: false, heardThrough: [] })
      expect(await actionsOn(api.db, resource.resourceId)).toEqual(['follow.create', 'follow.delete'])
    }
  })

  test('are listed oldest first, only the own ones', async () => {
    const caller = await callerOf(await reader())
    await (await callerOf(await reader())).follows.create(service())
    const own = resources()
    for (const { name: _, ...resource } of own) await caller.follows.create(resource)
    const listed = own.map((resource) => ({ ...resource, createdAt: NOW.toISOString() }))
    expect(await caller.follows.list({})).toEqual({ items: listed, total: 3, page: 1, pageSize: 50 })
    const second = await caller.follows.list({ page: 2, pageSize: 2 })
    expect(second).toMatchObject({ items: [listed[2]], total: 3 })
  })

  test('following twice is following once, and says so in the audit log', async () => {
    const one = await reader()
    const caller = await callerOf(one)
    const { service } = await createTree()
    const resource = { resourceType: 'service', resourceId: service.id } as const
    await Promise.all([caller.follows.create(resource), caller.follows.create(resource)])
    expect(await api.db.select().from(follows).where(eq(follows.membershipId, one.membershipId))).toHaveLength(1)
    const entries = await auditOf(api.db, service.id)
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['follow.create', {}],
      ['follow.create', { changed: false }],
    ])
    await caller.follows.remove(resource)
    expect(await failureOf(caller.follows.remove(resource))).toMatchObject({ code: 'not_found' })
  })

  test('a container that is visible by name only cannot be followed; what is below it can', async () => {
    const caller = await callerOf(await member({ grants: [{ serviceId: tree.service.id, level: 1 }] }))
    const [workspace, project, service] = resources()
    for (const resource of [workspace, project]) {
      expect(await caller.follows.get(resource!)).toMatchObject({ mayFollow: false, heardThrough: [], heardWithin: 1 })
      expect(await failureOf(caller.follows.create(resource!))).toMatchObject({ code: 'not_found' })
    }
    expect(await caller.follows.get(service!)).toMatchObject({ mayFollow: true })
    expect(await caller.follows.create(service!)).toEqual({ ok: true })
  })

  test('not_found for what is out of reach, unknown, of another organization or of another type', async () => {
    const caller = await callerOf(await member())
    const foreign = await api.create.serviceTree()
    const seeing = await callerOf(await reader())
    const ids = [foreign.service.id, randomUUID(), tree.project.id]
    const wrong = ids.map((resourceId) => [seeing, { resourceType: 'service', resourceId }] as const)
    for (const [asker, resource] of [[caller, service()] as const, ...wrong]) {
      for (const operation of ['get', 'create', 'remove'] as const) {
        expect(await failureOf(asker.follows[operation](resource))).toMatchObject({ code: 'not_found' })
      }
    }
  })

  test('a follow of what went out of reach does nothing, and comes back with the reach', async () => {
    const one = await member({ grants: [{ workspaceId: tree.workspace.id, level: 1 }] })
    const caller = await callerOf(one)
    await caller.follows.create(service())
    await api.db.delete(grants).where(eq(grants.membershipId, one.membershipId))
    expect(await failureOf((await callerOf(one)).follows.get(service()))).toMatchObject({ code: 'not_found' })
    const { membershipId } = one
    const unseen = { ...service(), name: null, createdAt: NOW.toISOString() }
    expect(await (await callerOf(one)).follows.list({})).toMatchObject({ items: [unseen], total: 1 })
    await api.create.grant(organization, { membershipId }, { projectId: tree.project.id, level: 1 })
    const { heardThrough, isFollowing } = await (await callerOf(one)).follows.get(service())
    expect([isFollowing, ...heardThrough.map(({ kind }) => kind)]).toEqual([true, 'grant', 'follow'])
    await api.db.delete(grants).where(eq(grants.membershipId, one.membershipId))
    expect(await (await callerOf(one)).follows.remove(service())).toEqual({ ok: true })
  })

  test('follow_limit_reached at the limit, also for parallel requests', async () => {
    const one = await reader()
    const filler = await api.create.project(await api.create.workspace(organization))
    const rows = []
    for (let index = 0; index < FOLLOWS_MAX - 1; index++) rows.push(uuidv7())
    await api.db.execute(`insert into services (id, organization_id, project_id, name)
      select id::uuid, '${organization.id}', '${filler.id}', id from unnest('{${rows.join(',')}}'::text[]) id`)
    await api.db.execute(`insert into follows (id, organization_id, service_id, membership_id)
      select gen_random_uuid(), '${organization.id}', id, '${one.membershipId}' from services where project_id = '${filler.id}'`)
    const caller = await callerOf(one)
    const wanted = await Promise.all([createTree(), createTree(), createTree()])
    const outcomes = await Promise.allSettled(
      wanted.map((own) => caller.follows.create({ resourceType: 'service', resourceId: own.service.id })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = failureOf(caller.follows.create({ resourceType: 'project', resourceId: filler.id }))
    expect(await refused).toMatchObject({ code: 'follow_limit_reached', details: { max: FOLLOWS_MAX } })
    // What is followed already is no more.
    const again = { resourceType: 'service', resourceId: rows[0] as string } as const
    expect(await caller.follows.create(again)).toEqual({ ok: true })
  })
})

describe('follows.get', () => {
  test('says through which grants, groups and follows, from the workspace down', async () => {
    const one = await member({
      groups: [group],
      grants: [
        { serviceId: tree.service.id, level: 1 },
        { workspaceId: tree.workspace.id, level: 2 },
      ],
    })
    await api.create.grant(organization, { groupId: group.id }, { projectId: tree.project.id, level: 1 })
    const caller = await callerOf(one)
    await caller.follows.create({ resourceType: 'project', resourceId: tree.project.id })
    const workspace = { resourceType: 'workspace', resourceName: tree.workspace.name }
    const project = { resourceType: 'project', resourceName: 'Checkout' }
    const ofService = { resourceType: 'service', resourceName: 'Pay' }
    const expected = [
      { kind: 'grant', group: null, ...workspace },
      { kind: 'grant', group: null, ...ofService },
      { kind: 'group', group: 'DevOps', ...project },
      { kind: 'follow', group: null, ...project },
    ]
    expect(await caller.follows.get(service())).toMatchObject({ heardThrough: expected, heardWithin: 0 })
    const above = await caller.follows.get({ resourceType: 'workspace', resourceId: tree.workspace.id })
    expect(above).toMatchObject({ heardThrough: [expected[0]], heardWithin: 2 })
    const between = await caller.follows.get({ resourceType: 'project', resourceId: tree.project.id })
    expect(between).toMatchObject({ heardThrough: [expected[0], expected[2], expected[3]], heardWithin: 1 })
  })

  test('counts no grant that does not notify: who has write access everywhere hears only what they follow', async () => {
    const quiet = await member({ grants: [{ workspaceId: tree.workspace.id, level: 2, notify: false }] })
    const writer = await member({ sections: { workspaces: 'write' } })
    await api.create.grant(
      organization,
      { membershipId: writer.membershipId },
      {
        ...{ serviceId: tree.service.id, level: 1, notify: false },
      },
    )
    for (const one of [quiet, writer]) {
      const caller = await callerOf(one)
      const above = await caller.follows.get({ resourceType: 'workspace', resourceId: tree.workspace.id })
      expect(above).toMatchObject({ heardThrough: [], heardWithin: 0, mayFollow: true })
      expect(await caller.follows.get(service())).toMatchObject({ heardThrough: [], mayFollow: true })
      await caller.follows.create(service())
      expect(await caller.follows.get(service())).toMatchObject({ heardThrough: [{ kind: 'follow' }] })
    }
  })

  test('names the enabled webhooks that get its events, to members who may read webhooks', async () => {
    const own = await createTree()
    const resource = { resourceType: 'service', resourceId: own.service.id } as const
    const hooks = (await callerOf(organization.owner)).organization.webhooks
    const make = (name: string, bindings: { resourceType: 'workspace' | 'organization'; resourceId: string }[]) =>
      hooks.create({ name, preset: 'slack', url: 'https://hooks.slack.com/services/T/B/x', bindings })
    const inWorkspace = { resourceType: 'workspace', resourceId: own.workspace.id } as const
    await make('#ops', [{ resourceType: 'organization', resourceId: organization.id }])
    await make('#shop', [inWorkspace])
    await make('#unbound', [])
    const paused = await make('#paused', [inWorkspace])
    const { webhooks: bound } = await callerOf(organization.owner)
    const { items } = await bound.bindings.ofWebhook({ webhookId: paused.id })
    await bound.bindings.update({ id: items[0]?.id as string, enabled: false })
    const named = [
      { name: '#ops', receiver: 'Slack' },
      { name: '#shop', receiver: 'Slack' },
    ]
    const owner = await callerOf(organization.owner)
    expect(await owner.follows.get(resource)).toMatchObject({ webhooks: named, webhooksTotal: 2 })
    const ofWorkspace = await owner.follows.get({ resourceType: 'workspace', resourceId: own.workspace.id })
    expect(ofWorkspace).toMatchObject({ webhooks: named, webhooksTotal: 2 })
    const blind = await callerOf(await reader())
    expect(await blind.follows.get(resource)).toMatchObject({ webhooks: null, webhooksTotal: 2 })
    for (const { id } of (await hooks.overview({ pageSize: 100 })).items) await hooks.remove({ id })
  })

  test('says which silence keeps mails back, and until when, also when another goes on after it', async () => {
    const one = await reader()
    const caller = await callerOf(one)
    const until = (hour: number) => `2026-06-03T${hour}:00:00.000Z`
    expect(await caller.follows.get(service())).toMatchObject({ silenced: null, mute: null })
    const first = await silence(one, { projectId: tree.project.id, config: JSON.stringify({ until: until(13) }) })
    expect(await caller.follows.get(service())).toMatchObject({
      silenced: { reason: 'a silence', until: until(13), silence: { id: first, resourceName: 'Checkout' } },
      mute: null,
    })
    await silence(one, { channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=12;BYMINUTE=30/90' })
    await silence(one, { workspaceId: tree.workspace.id, config: '{"events":["service.recovered"]}' })
    expect(await caller.follows.get(service())).toMatchObject({ silenced: { until: until(14) } })
    await silence(one, { serviceId: tree.service.id, config: JSON.stringify({ until: until(10) }) })
    expect(await caller.follows.get(service())).toMatchObject({ silenced: { until: until(14) }, mute: null })
    const mute = await silence(one, { serviceId: tree.service.id, config: JSON.stringify({ until: until(18) }) })
    const muted = { silenced: { until: until(18) }, mute: { silenceId: mute, until: until(18) } }
    expect(await caller.follows.get(service())).toMatchObject(muted)
    await silence(one, { serviceId: tree.service.id })
    expect(await caller.follows.get(service())).toMatchObject({ silenced: { until: null } })
    // What silences another member does not matter.
    expect(await (await callerOf(await reader())).follows.get(service())).toMatchObject({ silenced: null, mute: null })
  })

  test('quiet hours are those of the time zone of the organization', async () => {
    const one = await reader()
    await silence(one, { channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=22/60' })
    const own = eq(organizations.id, organization.id)
    expect(await (await callerOf(one)).follows.get(service())).toMatchObject({ silenced: null })
    await api.db.update(organizations).set({ timezone: 'Asia/Vladivostok' }).where(own)
    const until = '2026-06-03T13:00:00.000Z'
    const quiet = { reason: 'quiet hours', until }
    expect(await (await callerOf(one)).follows.get(service())).toMatchObject({ silenced: quiet, mute: null })
    await api.db.update(organizations).set({ timezone: 'UTC' }).where(own)
  })
})
