import { beforeAll } from 'vitest'
import type { Factories, Tree } from '../factories.ts'

// A separate file, because benchmarks import factories.ts outside vitest.

/** Creates a tree before the tests of a file. */
export function testTree(api: { readonly create: Factories }): Tree {
  const tree = {} as Tree
  beforeAll(async () => {
    Object.assign(tree, await api.create.tree())
  })
  return tree
}
