import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { follows } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import {
  findHearing,
  findListeners,
  type HearingRow,
  type ResourcePath,
  selectFirstListeners,
  toRecipients,
} from '#server/alerts/alerts/listeners.ts'
import { findResourcePath } from '#server/alerts/alerts/recipients.ts'
import { RESOURCE_TYPES, type ResourceType } from '#server/schemas/scopes.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Group, Member, Organization } from '#test/support/factories.ts'
import { SEED } from '#test/support/seed.ts'

const database = testDatabase()

// The oracle: who hears, from lists in memory and without SQL.

type Spot = { type: ResourceType; id: string; name: string; above: Spot | null }
type Listener = { member: Member; isOwner: boolean; isActive: boolean; seesTree: boolean; groups: ToldGroup[] }
type ToldGroup = { group: Group; seesTree: boolean }
type FirstListener = HearingRow & { total: number }
type Grant = { holder: Listener | ToldGroup; on: Spot; notify: boolean }
type World = {
  organization: Organization
  spots: Spot[]
  members: Listener[]
  groups: ToldGroup[]
  grants: Grant[]
  follows: { member: Listener; on: Spot }[]
}

function pathOf(spot: Spot | null): Spot[] {
  return spot ? [spot, ...pathOf(spot.above)] : []
}

function reads({ grants }: World, member: Listener, spot: Spot): boolean {
  if (member.isOwner || member.seesTree || member.groups.some((group) => group.seesTree)) return true
  const holders: unknown[] = [member, ...member.groups]
  return grants.some((grant) => pathOf(spot).includes(grant.on) && holders.includes(grant.holder))
}

/** Returns for example `group DevOps workspace Shop` for each reason. */
function reasonsOf(world: World, member: Listener, spot: Spot): string[] {
  if (!member.isActive) return []
  const here = pathOf(spot)
  const granted = world.grants
    .filter((grant) => grant.notify && here.includes(grant.on))
    .flatMap(({ holder, on }) => {
      if (holder === member) return [`grant  ${on.type} ${on.name}`]
      const group = member.groups.find((one) => one === holder)
      return group ? [`group ${group.group.name} ${on.type} ${on.name}`] : []
    })
  const followed = world.follows
    .filter((follow) => follow.member === member && here.includes(follow.on) && reads(world, member, spot))
    .map(({ on }) => `follow  ${on.type} ${on.name}`)
  return [...granted, ...followed].sort()
}

const told = (
  through: { kind: string; group: string | null; resourceType: string | null; resourceName: string | null }[],
) =>
  through.map(({ kind, group, resourceType, resourceName }) => `${kind} ${group ?? ''} ${resourceType} ${resourceName}`)

/** A repeatable sequence of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function createWorld(seed: number): Promise<World> {
  const { create, db } = database
  const next = numbers(SEED + seed)
  const chance = (share: number) => next() < share
  const organization = await create.organization()
  const spots: Spot[] = []
  for (const w of [0, 1]) {
    const workspace = await create.workspace(organization)
    const atop: Spot = { type: 'workspace', id: workspace.id, name: workspace.name, above: null }
    spots.push(atop)
    for (let p = 0; p < 2 - w; p++) {
      const project = await create.project(workspace)
      const within: Spot = { type: 'project', id: project.id, name: project.name, above: atop }
      spots.push(within)
      for (let s = 0; s < 2; s++) {
        const service = await create.service(project)
        spots.push({ type: 'service', id: service.id, name: service.name, above: within })
      }
    }
  }
  const pick = <T>(items: T[]): T => items[Math.floor(next() * items.length)] as T
  const groups: ToldGroup[] = []
  for (let index = 0; index < 3; index++) {
    const seesTree = chance(0.2)
    groups.push({
      seesTree,
      group: await create.group(organization, { sections: seesTree ? { workspaces: 'read' } : { users: 'write' } }),
    })
  }
  const owner = { member: organization.owner, isOwner: true, isActive: true, seesTree: false, groups: [] }
  const world: World = { organization, spots, groups, members: [owner], grants: [], follows: [] }
  for (let index = 0; index < 8; index++) {
    const [isActive, isAccountActive, seesTree] = [chance(0.9), chance(0.9), chance(0.2)]
    const own = groups.filter(() => chance(0.4))
    const sections = seesTree ? { workspaces: 'write' as const } : { webhooks: 'write' as const }
    const given = { isActive, isAccountActive, sections, groups: own.map(({ group }) => group) }
    const member = await create.member(organization, given)
    world.members.push({ member, isOwner: false, isActive: isActive && isAccountActive, seesTree, groups: own })
  }
  for (let index = 0; index < 7; index++) {
    const holder = chance(0.5) ? pick(world.members) : pick(groups)
    const on = pick(spots)
    if (world.grants.some((grant) => grant.holder === holder && grant.on === on)) continue
    const notify = chance(0.7)
    world.grants.push({ holder, on, notify })
    const principal = 'group' in holder ? { groupId: holder.group.id } : { membershipId: holder.member.membershipId }
    await create.grant(organization, principal, { [`${on.type}Id`]: on.id, level: chance(0.5) ? 1 : 2, notify })
  }
  for (let index = 0; index < 14; index++) {
    const member = pick(world.members)
    const on = pick(spots)
    if (world.follows.some((follow) => follow.member === member && follow.on === on)) continue
    world.follows.push({ member, on })
    const { membershipId } = member.member
    await db
      .insert(follows)
      .values({ id: uuidv7(), organizationId: organization.id, membershipId, [`${on.type}Id`]: on.id })
  }
  return world
}

const placeOf = async ({ organization }: World, { type, id }: Spot) =>
  (await findResourcePath(database.db, { organizationId: organization.id, type, id })) as ResourcePath

describe('who hears of a resource', () => {
  test.each(Array.from({ length: 12 }, (_, seed) => ({ seed })))(
    'agrees with the oracle, world $seed',
    async ({ seed }) => {
      const world = await createWorld(seed)
      for (const spot of world.spots) {
        const place = await placeOf(world, spot)
        const expected = new Map(
          world.members.flatMap((member) => {
            const reasons = reasonsOf(world, member, spot)
            return reasons.length > 0 ? [[member.member.membershipId, reasons] as const] : []
          }),
        )
        const found = await findListeners(database.db, place)
        const listed = new Map(found.map((one) => [one.membershipId, told(one.heardThrough).sort()]))
        expect(listed, `${spot.type} ${spot.name}`).toEqual(expected)
        const first = world.members.find(({ member }) => expected.has(member.membershipId))
        const viewer = (first ?? world.members[0])?.member.membershipId as string
        const rows = await database.db.execute<FirstListener>(selectFirstListeners(place, viewer, 2))
        for (const { total } of rows) expect(total).toBe(expected.size)
        const some = toRecipients(rows)
        expect(some).toHaveLength(Math.min(2, expected.size))
        if (first) expect(some.map(({ membershipId }) => membershipId)).toContain(viewer)
        for (const one of some) expect(told(one.heardThrough).sort()).toEqual(expected.get(one.membershipId))
        for (const { member } of world.members) {
          const own = await findHearing(database.db, place, member.membershipId)
          expect(told(own).sort()).toEqual(expected.get(member.membershipId) ?? [])
        }
      }
    },
  )

  test('the worlds of the oracle have every kind of listener, and members who hear of nothing', async () => {
    const kinds = new Set<string>()
    let silent = 0
    for (let seed = 100; seed < 104; seed++) {
      const world = await createWorld(seed)
      for (const spot of world.spots) {
        for (const member of world.members) {
          const reasons = reasonsOf(world, member, spot)
          for (const reason of reasons) kinds.add(reason.split(' ')[0] as string)
          silent += reasons.length === 0 ? 1 : 0
        }
      }
    }
    expect([...kinds].sort()).toEqual(['follow', 'grant', 'group'])
    expect(silent).toBeGreaterThan(10)
  })
})

describe('a follower', () => {
  async function following(type: ResourceType) {
    const { create, db } = database
    const organization = await create.organization()
    const workspace = await create.workspace(organization)
    const project = await create.project(workspace)
    const service = await create.service(project)
    const spots = { workspace, project, service }
    const group = await create.group(organization, { sections: { workspaces: 'read' } })
    const member = await create.member(organization, { groups: [group] })
    const { membershipId } = member
    await db
      .insert(follows)
      .values({ id: uuidv7(), organizationId: organization.id, membershipId, [`${type}Id`]: spots[type].id })
    const path: ResourcePath = {
      organizationId: organization.id,
      ...{ workspaceId: workspace.id, projectId: project.id, serviceId: service.id },
    }
    const hears = async () => told(await findHearing(db, path, membershipId))
    return { organization, spots, group, membershipId, hears }
  }

  test.each(RESOURCE_TYPES)('of a %s hears until the last way to read it is gone', async (type) => {
    const { db, create } = database
    const { organization, spots, group, membershipId, hears } = await following(type)
    const expected = [`follow  ${type} ${spots[type].name}`]
    expect(await hears()).toEqual(expected)
    await create.grant(organization, { groupId: group.id }, { projectId: spots.project.id, level: 1 })
    await db.execute(`update groups set section_workspaces = 0 where id = '${group.id}'`)
    expect(await hears()).toEqual([`group ${group.name} project ${spots.project.name}`, ...expected])
    await db.delete(grants).where(eq(grants.groupId, group.id))
    expect(await hears()).toEqual([])
    await db.update(memberships).set({ workspaces: 1 }).where(eq(memberships.id, membershipId))
    expect(await hears()).toEqual(expected)
    await db.update(memberships).set({ isActive: false }).where(eq(memberships.id, membershipId))
    expect(await hears()).toEqual([])
  })

  test('is forgotten with the membership, and with the resource', async () => {
    const { db } = database
    for (const type of RESOURCE_TYPES) {
      const { membershipId } = await following(type)
      await db.delete(memberships).where(eq(memberships.id, membershipId))
      expect(await db.select().from(follows).where(eq(follows.membershipId, membershipId))).toEqual([])
      const other = await following(type)
      await db.execute(`delete from ${type}s where id = '${other.spots[type].id}'`)
      expect(await db.select().from(follows).where(eq(follows.membershipId, other.membershipId))).toEqual([])
    }
  })
})
