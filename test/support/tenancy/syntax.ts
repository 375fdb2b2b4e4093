import { loadModule, parseSync } from 'libpg-query'

// PostgreSQL's own parser, compiled to WebAssembly. Its trees are JSON: a node is an object with one key, its type.

export type Tree = { [name: string]: Tree | Tree[] | string | number | boolean | undefined }

await loadModule()

/** @throws Error when PostgreSQL would refuse the syntax */
export function parse(text: string): Tree[] {
  const { stmts } = parseSync(text) as unknown as { stmts?: { stmt: Tree }[] }
  return (stmts ?? []).map(({ stmt }) => stmt)
}

/** Returns the body of a node of this type; undefined for other nodes. */
export function nodeOf(tree: Tree | undefined, type: string): Tree | undefined {
  return tree && child(tree, type)
}

export function child(tree: Tree, name: string): Tree | undefined {
  const value = tree[name]
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

export function children(tree: Tree, name: string): Tree[] {
  const value = tree[name]
  return Array.isArray(value) ? value : []
}

export function textOf(tree: Tree | undefined, name: string): string | null {
  const value = tree?.[name]
  return typeof value === 'string' ? value : null
}

/** Calls `visit` with each node below, the tree included; it returns false where the walk must not go on. */
export function walk(tree: Tree, visit: (tree: Tree) => boolean): void {
  if (!visit(tree)) return
  for (const value of Object.values(tree)) {
    const below = Array.isArray(value) ? value : [value]
    for (const each of below) if (typeof each === 'object' && !Array.isArray(each)) walk(each, visit)
  }
}

/** Returns the parts of a column's name: alias and column, or the column alone. */
export function columnOf(tree: Tree | undefined): string[] | null {
  const fields = tree && nodeOf(tree, 'ColumnRef')
  return fields ? children(fields, 'fields').map((field) => textOf(nodeOf(field, 'String'), 'sval') ?? '*') : null
}

/** Removes casts: `$1::uuid` is `$1`. */
export function withoutCast(tree: Tree | undefined): Tree | undefined {
  const cast = nodeOf(tree, 'TypeCast')
  return cast ? withoutCast(child(cast, 'arg')) : tree
}

export type Equality = [left: Tree | undefined, right: Tree | undefined]

/** Returns the comparisons that hold for every row that meets the condition, those of row values column by column. */
export function equalitiesOf(condition: Tree | undefined): Equality[] {
  const bool = nodeOf(condition, 'BoolExpr')
  if (bool && textOf(bool, 'boolop') === 'AND_EXPR') return children(bool, 'args').flatMap(equalitiesOf)
  if (bool && textOf(bool, 'boolop') === 'OR_EXPR') return equalitiesOfAll(children(bool, 'args'))
  const link = nodeOf(condition, 'SubLink')
  if (link && textOf(link, 'subLinkType') === 'ANY_SUBLINK') return pairs(child(link, 'testexpr'), undefined)
  const comparison = nodeOf(condition, 'A_Expr')
  const kind = textOf(comparison, 'kind')
  if (!comparison || !kind || !EQUAL.includes(kind)) return []
  const [operator] = children(comparison, 'name')
  if (textOf(nodeOf(operator, 'String'), 'sval') !== '=') return []
  return pairs(child(comparison, 'lexpr'), child(comparison, 'rexpr'))
}

const EQUAL = ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT']

/** The comparisons in each branch of `or`. */
function equalitiesOfAll(branches: Tree[]): Equality[] {
  const [first = [], ...others] = branches.map(equalitiesOf)
  const keyOf = (sides: Equality) => sides.map((side) => columnOf(withoutCast(side))?.join('.') ?? 'value').join('=')
  return first.filter((one) => others.every((branch) => branch.some((other) => keyOf(other) === keyOf(one))))
}

function pairs(left: Tree | undefined, right: Tree | undefined): Equality[] {
  const [lefts, rights] = [left, right]
    .map((side) => nodeOf(side, 'RowExpr'))
    .map((row) => row && children(row, 'args'))
  if (!lefts) return [[left, right]]
  return lefts.map((each, index) => [each, rights?.[index]])
}
