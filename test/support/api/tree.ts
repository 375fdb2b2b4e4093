import { beforeAll } from 'vitest'
import type { Factories, Tree } from '../factories.ts'

// Not in factories.ts, which benchmarks import outside of vitest.

/** A tree that is created before the tests of a file. */
export function testTree(api: { readonly create: Factories }): Tree {
  const tree = {} as Tree
  beforeAll(async () => {
    Object.assign(tree, await api.create.tree())
  })
  return tree
}
