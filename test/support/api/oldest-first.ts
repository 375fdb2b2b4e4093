import { expect } from 'vitest'
import type { Page } from '#server/paging.ts'

type Query = { page?: number; pageSize?: number }

/** Expects that a list has exactly these rows, oldest first by creation, then by id, on one page or on several. */
export async function expectOldestFirst(
  list: (query: Query) => Promise<{ body: Page<{ id: string }> }>,
  made: { id: string; createdAt: Date }[],
): Promise<void> {
  const expected = made
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
    .map((row) => row.id)
  const { body } = await list({})
  expect(body.items.map((item) => item.id)).toEqual(expected)
  expect(body).toMatchObject({ total: made.length, page: 1, pageSize: 50 })
  const second = await list({ page: 2, pageSize: 1 })
  expect(second.body).toMatchObject({ items: [{ id: expected[1] }], total: made.length, page: 2, pageSize: 1 })
}
