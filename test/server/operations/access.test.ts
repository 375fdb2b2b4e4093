import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccessEntry } from '#server/schemas/access.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectAbsent } from '#test/support/api/denied.ts'
import type { Member, ServiceTree } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()

let tree: ServiceTree
let foreign: ServiceTree
beforeAll(async () => {
  tree = await api.create.serviceTree()
  foreign = await api.create.serviceTree()
})

const grantOf = (member: Member, permissions: unknown = 1) => ({
  principalType: 'user',
  principalId: member.userId,
  permissions,
})

describe.each(['workspace', 'project', 'service'] as const)('access to a %s', (type) => {
  const pathIn = ({ ids }: ServiceTree) => `/access/${type}/${ids[type]}`
  const grantIn = ({ ids }: ServiceTree, level: 1 | 2) => ({ [`${type}Id`]: ids[type], level })

  describe('GET /access/{resourceType}/{resourceId}', () => {
    test('200 by name, then id, of this resource alone', async () => {
      const own = await api.create.serviceTree()
      const named = (displayName: string) =>
        api.create.member(own.organization, { displayName, grants: [grantIn(own, 1)] })
      const [b1, a, b2] = [await named('B'), await named('A'), await named('B')]
      const group = await api.create.group(own.organization, { name: 'AB', grants: [grantIn(own, 2)] })
      await api.create.member(own.organization, { grants: [{ workspaceId: own.ids.workspace, level: 2 }] })
      const { status, body } = await api.call<AccessEntry[]>(own.owner, 'GET', pathIn(own))
      expect(status).toBe(200)
      const bs = [b1, b2].toSorted((x, y) => (x.userId < y.userId ? -1 : 1))
      const user = (member: Member, name: string) => ({
        principalType: 'user',
        principalId: member.userId,
        name,
        email: member.email,
        permissions: 1,
        notify: true,
      })
      const listed = type === 'workspace' ? body.filter((entry) => !entry.name.startsWith('member-')) : body
      expect(listed).toEqual([
        user(a, 'A'),
        { principalType: 'group', principalId: group.id, name: 'AB', permissions: 2, notify: true },
        ...bs.map((member) => user(member, 'B')),
      ])
      expect(body.length - listed.length).toBe(type === 'workspace' ? 1 : 0)
    })
  })

  describe('PUT /access/{resourceType}/{resourceId}', () => {
    test('200 grants a level, then changes it, with effect at once', async () => {
      const own = await api.create.serviceTree()
      const writer = await api.create.key(await api.create.member(own.organization, { grants: [grantIn(own, 2)] }))
      const member = await api.create.member(own.organization)
      const theirs = await api.create.key(member)
      expectAbsent([await api.call(theirs, 'GET', `/${type}s/${own.ids[type]}`)])
      const body = { ...grantOf(member) }
      expect((await api.call(writer, 'PUT', pathIn(own), { body })).body).toEqual({ ok: true })
      expect((await api.call(theirs, 'GET', `/${type}s/${own.ids[type]}/variables`)).status).toBe(200)
      expectAbsent([await api.call(theirs, 'GET', pathIn(own))])
      await api.call(writer, 'PUT', pathIn(own), { body: grantOf(member, 2) })
      await api.call(writer, 'PUT', pathIn(own), { body: grantOf(member, 2) })
      const listed = (await api.call<AccessEntry[]>(theirs, 'GET', pathIn(own))).body
      expect(listed.filter((entry) => entry.principalId === member.userId)).toMatchObject([{ permissions: 2 }])
      const entries = await auditOf(api.db, own.ids[type])
      const principal = { principalType: 'user', principalId: member.userId }
      expect(entries.map((entry) => [entry.action, entry.details])).toMatchObject([
        ['access.set', { ...principal, permissions: { from: null, to: 'read' } }],
        ['access.set', { ...principal, permissions: { from: 'read', to: 'write' } }],
        ['access.set', { ...principal, permissions: 'write', changed: false }],
      ])
      expect(entries.slice(0, 2).map((entry) => entry.details)).not.toContainEqual(
        expect.objectContaining({ changed: false }),
      )
    })

    test('200 without notifications, which change apart from the level', async () => {
      const own = await api.create.serviceTree()
      const member = await api.create.member(own.organization)
      const heard = async () => {
        const caller = await api.caller(member)
        const { heardThrough } = await caller.follows.get({ resourceType: type, resourceId: own.ids[type] })
        return heardThrough.map(({ kind }) => kind)
      }
      const put = async (given: object) => {
        const body = { ...grantOf(member), ...given }
        expect((await api.call(own.owner, 'PUT', pathIn(own), { body })).status).toBe(200)
        const entries = (await api.call<AccessEntry[]>(own.owner, 'GET', pathIn(own))).body
        const entry = entries.find(({ principalId }) => principalId === member.userId)
        return [entry?.permissions, entry?.notify, ...(await heard())]
      }
      expect(await put({ notify: false })).toEqual([1, false])
      // Omitted, it stays as it is.
      expect(await put({ permissions: 2 })).toEqual([2, false])
      expect(await put({ permissions: 2, notify: true })).toEqual([2, true, 'grant'])
      expect(await put({})).toEqual([1, true, 'grant'])
      const details = (await auditOf(api.db, own.ids[type])).map((entry) => entry.details)
      expect(details).toMatchObject([
        { permissions: { from: null, to: 'read' }, notify: { from: null, to: false } },
        { permissions: { from: 'read', to: 'write' } },
        { permissions: 'write', notify: { from: false, to: true } },
        { permissions: { from: 'write', to: 'read' } },
      ])
      expect(details[2]).not.toHaveProperty('changed')
      const body = { ...grantOf(member), notify: 'no' }
      expect((await api.call(own.owner, 'PUT', pathIn(own), { body })).status).toBe(400)
    })

    test('200 to a group, whose members reach it at once', async () => {
      const own = await api.create.serviceTree()
      const group = await api.create.group(own.organization)
      const key = await api.create.key(await api.create.member(own.organization, { groups: [group] }))
      expectAbsent([await api.call(key, 'GET', `/${type}s/${own.ids[type]}`)])
      const body = { principalType: 'group', principalId: group.id, permissions: 1 }
      expect((await api.call(own.owner, 'PUT', pathIn(own), { body })).status).toBe(200)
      expect((await api.call(key, 'GET', `/${type}s/${own.ids[type]}`)).status).toBe(200)
    })

    test('404 for a principal of no or another organization, or of the other kind', async () => {
      const group = await api.create.group(tree.organization)
      const elsewhere = await api.create.group(foreign.organization)
      const member = tree.organization.owner
      const principals = [
        ['user', randomUUID()],
        ['user', foreign.organization.owner.userId],
        ['user', group.id],
        ['user', member.membershipId],
        ['group', randomUUID()],
        ['group', elsewhere.id],
        ['group', member.userId],
      ]
      for (const [principalType, principalId] of principals) {
        const body = { principalType, principalId, permissions: 1 }
        expectAbsent([await api.call(tree.owner, 'PUT', pathIn(tree), { body })])
      }
    })
  })

  describe('DELETE /access/{resourceType}/{resourceId}/{principalType}/{principalId}', () => {
    test('200 takes it away with effect at once, and 404 the second time', async () => {
      const own = await api.create.serviceTree()
      const group = await api.create.group(own.organization, { grants: [grantIn(own, 1)] })
      const member = await api.create.member(own.organization, { grants: [grantIn(own, 1)], groups: [group] })
      const key = await api.create.key(member)
      const [ofUser, ofGroup] = [`${pathIn(own)}/user/${member.userId}`, `${pathIn(own)}/group/${group.id}`]
      expect((await api.call(own.owner, 'DELETE', ofUser)).body).toEqual({ ok: true })
      expect((await api.call(key, 'GET', `/${type}s/${own.ids[type]}`)).status).toBe(200)
      expect((await api.call(own.owner, 'DELETE', ofGroup)).body).toEqual({ ok: true })
      expectAbsent([await api.call(key, 'GET', `/${type}s/${own.ids[type]}`)])
      expectAbsent([await api.call(own.owner, 'DELETE', ofUser), await api.call(own.owner, 'DELETE', ofGroup)])
      const entries = await auditOf(api.db, own.ids[type])
      expect(entries.map((entry) => [entry.action, entry.details])).toMatchObject([
        ['access.remove', { principalType: 'user', permissions: { from: 'read', to: null } }],
        ['access.remove', { principalType: 'group', permissions: { from: 'read', to: null } }],
      ])
    })

    test('404 for a grant on another resource, and without write', async () => {
      const own = await api.create.serviceTree()
      const sibling = await api.create.service({ id: own.ids.project, organizationId: own.organization.id })
      const member = await api.create.member(own.organization, { grants: [grantIn(own, 1)] })
      expectAbsent([
        await api.call(own.owner, 'DELETE', `/access/service/${sibling.id}/user/${member.userId}`),
        await api.call(await api.create.key(member), 'DELETE', `${pathIn(own)}/user/${member.userId}`),
      ])
      expect((await api.call<AccessEntry[]>(own.owner, 'GET', pathIn(own))).body).toHaveLength(1)
    })
  })
})
