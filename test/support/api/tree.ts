import { beforeAll } from 'vitest'
import type { Db } from '#db/client.ts'
import { createTree, type Tree } from '../factories.ts'

// Not in factories.ts, which benchmarks import outside of vitest.

/** A tree that is created before the tests of a file. */
export function testTree(api: { readonly db: Db }): Tree {
  const tree = {} as Tree
  beforeAll(async () => {
    Object.assign(tree, await createTree(api.db))
  })
  return tree
}
