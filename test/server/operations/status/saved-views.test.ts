import { beforeEach, describe, expect, test } from 'vitest'
import { savedViews } from '#db/schema/organizations.ts'
import { VIEWS_MAX } from '#server/schemas/status/saved-views.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Tree } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()

let tree: Tree
let views: Awaited<ReturnType<typeof api.caller>>['status']['views']
beforeEach(async () => {
  tree = await api.create.tree()
  views = (await api.caller(tree.organization.owner)).status.views
})

test('saved views are listed by name, changed and deleted', async () => {
  const failing = await views.create({ name: '  Failing ', query: 'q=state%3Afailing' })
  const all = await views.create({ name: 'All', query: '' })
  expect(await views.list()).toEqual({ views: [all, { ...failing, name: 'Failing' }] })
  expect(await views.update({ id: all.id, name: 'Everything' })).toEqual({ ...all, name: 'Everything' })
  expect(await views.update({ id: all.id, query: 'sort=name' })).toMatchObject({
    name: 'Everything',
    query: 'sort=name',
  })
  expect(await views.remove({ id: failing.id })).toEqual({ ok: true })
  expect((await views.list()).views).toEqual([{ id: all.id, name: 'Everything', query: 'sort=name' }])
  expect((await auditOf(api.db, all.id)).map(({ action, details }) => [action, details])).toEqual([
    ['view.create', {}],
    ['view.update', { name: { from: 'All', to: 'Everything' } }],
    ['view.update', { query: { from: '', to: 'sort=name' } }],
  ])
})

describe('refused', () => {
  test('is a name that the member has, a long name or query, and more views than a member may have', async () => {
    await views.create({ name: 'One', query: '' })
    const other = await views.create({ name: 'Other', query: '' })
    await expect(views.create({ name: 'One', query: 'x' })).rejects.toThrow()
    await expect(views.update({ id: other.id, name: 'One' })).rejects.toThrow()
    await expect(views.create({ name: 'x'.repeat(65), query: '' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(views.create({ name: 'x', query: 'x'.repeat(2_001) })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const { membershipId, organizationId: own } = tree.organization.owner
    const rows = Array.from({ length: VIEWS_MAX - 2 }, (_, index) => {
      return { id: crypto.randomUUID(), organizationId: own, membershipId, name: `View ${index}`, query: '' }
    })
    await api.db.insert(savedViews).values(rows)
    await expect(views.create({ name: 'One more', query: '' })).rejects.toMatchObject({ api: 'view_limit_reached' })
  })

  test("is another member's view, which is never shown", async () => {
    const { id } = await views.create({ name: 'Mine', query: '' })
    const colleague = (await api.caller(await api.create.member(tree.organization))).status.views
    expect(await colleague.list()).toEqual({ views: [] })
    await expect(colleague.update({ id, name: 'x' })).rejects.toMatchObject({ api: 'not_found' })
    await expect(colleague.remove({ id })).rejects.toMatchObject({ api: 'not_found' })
    expect(await colleague.create({ name: 'Mine', query: '' })).toMatchObject({ name: 'Mine' })
  })
})
