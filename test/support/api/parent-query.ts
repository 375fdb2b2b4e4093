import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Tree } from '../factories.ts'
import type { TestApi } from './api.ts'

/** Defines the tests of the query of a list whose parent `field` names. `parentIn` returns the parent of a tree. */
export function testParentQuery(
  api: TestApi,
  tree: Tree,
  path: string,
  field: 'workspaceId' | 'projectId',
  parentIn: (tree: Tree) => { id: string },
): void {
  const list = (query: Record<string, string | number>, key = tree.owner) => api.call(key, 'GET', path, { query })

  test(`400 field_required without ${field}`, async () => {
    const { status, body } = await list({})
    expect({ status, body }).toEqual({ status: 400, body: { error: 'field_required', details: { field } } })
  })

  test(`400 invalid_uuid for an invalid ${field}`, async () => {
    for (const value of ['shop', 'x']) {
      const { body } = await list({ [field]: value })
      expect(body).toMatchObject({ error: 'invalid_uuid', details: { field } })
    }
  })

  test.each([
    ['filters', 'a'],
    ['filters', ''],
    ['sorters', 'name'],
    ['page', 0],
    ['page', 'one'],
    ['pageSize', 0],
    ['pageSize', 101],
  ])('400 field_invalid for %s "%s"', async (name, value) => {
    const { body } = await list({ [field]: parentIn(tree).id, [name]: value })
    expect(body).toMatchObject({ error: 'field_invalid', details: { field: name } })
  })

  test('404 for a parent out of reach', async () => {
    const foreign = await api.create.tree()
    const blind = await api.create.key(await api.create.member(tree.organization))
    for (const [key, id] of [
      [tree.owner, randomUUID()],
      [tree.owner, parentIn(foreign).id],
      [blind, parentIn(tree).id],
    ] as const) {
      const { status, body } = await list({ [field]: id }, key)
      expect({ status, body }).toEqual({ status: 404, body: { error: 'not_found', details: { field } } })
    }
  })
}
