import { columnOf, equalitiesOf, type Tree, walk, withoutCast } from './syntax.ts'

/**
 * Tables whose rows one level of a statement reads or writes without naming their organization. `apart`: something else
 * there has rows of organizations and could name it. `open`: nothing there knows it. `columns`, as `table.column`, are
 * those in the conditions.
 */
export type Finding = { kind: 'apart' | 'open'; tables: string[]; columns: ReadonlySet<string> }

/** `table` is null for all but tables of organizations. `key` is the column with the organization's id. */
export type Relation = { alias: string; table: string | null; knowsOrganization: boolean; key: string }

export type Part = {
  relations: Relation[]
  conditions: Tree[]
  /** Aliases joined by `using (organization_id, …)`. */
  shared: [string, string][]
  outer: Relation[]
}

/**
 * Represents anything that is not a row of this level: a parameter, an outer row, a row of a query that is judged by
 * itself.
 */
const VALUE = ''

export function judgePart(part: Part): Finding | null {
  const tables = part.relations.filter(({ table }) => table !== null)
  if (tables.length === 0) return null
  const groups = groupsOf(part)
  const isOpen = ({ alias }: Relation) => groups.rootOf(alias) !== groups.rootOf(VALUE)
  const open = tables.filter(isOpen)
  if (open.length === 0) return null
  const roots = new Set(open.map(({ alias }) => groups.rootOf(alias)))
  const isKnown = part.relations.some((relation) => relation.knowsOrganization && !open.includes(relation))
  return {
    kind: roots.size > 1 || isKnown || readsOuterRows(part) ? 'apart' : 'open',
    tables: open.map(({ table }) => table as string),
    columns: columnsOf(part, open),
  }
}

/** Puts the relations whose organizations are compared into one group. */
function groupsOf(part: Part) {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    const parent = parents.get(name) ?? name
    return parent === name ? name : rootOf(parent)
  }
  const join = (one: string, other: string) => parents.set(rootOf(one), rootOf(other))
  for (const [one, other] of part.shared) join(sideOf(one, part), sideOf(other, part))
  for (const [left, right] of part.conditions.flatMap(equalitiesOf)) {
    const [one, other] = [organizationOf(left, part), organizationOf(right, part)]
    if (one !== null && other !== null) join(one, other)
    else if (one !== null && !isOwnColumn(right, part)) join(one, VALUE)
    else if (other !== null && !isOwnColumn(left, part)) join(other, VALUE)
  }
  return { rootOf }
}

/** Returns the alias of the row whose organization this is; null for everything else. */
function organizationOf(side: Tree | undefined, part: Part): string | null {
  const name = columnOf(withoutCast(side))
  if (!name) return null
  const [alias, column] = name.length > 1 ? [name.at(-2), name.at(-1)] : [null, name[0]]
  const relation =
    alias === null
      ? onlyOf(part.relations.filter((each) => each.table !== null && each.key === column))
      : part.relations.find((each) => each.alias === alias)
  return relation && relation.key === column ? sideOf(relation.alias, part) : null
}

/** A row of a query or of another table has its organization from elsewhere. */
function sideOf(alias: string, { relations }: Part): string {
  const relation = relations.find((each) => each.alias === alias)
  return relation && (relation.table !== null || relation.key === 'id') ? alias : VALUE
}

/** Whether it is another column of a table of organizations. */
function isOwnColumn(side: Tree | undefined, { relations }: Part): boolean {
  const name = columnOf(withoutCast(side))
  return (
    name !== null && name.length > 1 && relations.some(({ alias, table }) => table !== null && alias === name.at(-2))
  )
}

function onlyOf<T>(list: T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

function readsOuterRows({ conditions, relations, outer }: Part): boolean {
  const own = new Set(relations.map(({ alias }) => alias))
  const around = new Set(outer.filter((each) => each.knowsOrganization).map(({ alias }) => alias))
  return namesIn(conditions).some(([alias]) => alias !== undefined && !own.has(alias) && around.has(alias))
}

function columnsOf({ conditions, relations }: Part, open: Relation[]): ReadonlySet<string> {
  const tableOf = (alias: string) => open.find((relation) => relation.alias === alias)?.table
  return new Set(
    namesIn(conditions).flatMap((name) => {
      const column = name.at(-1)
      if (name.length > 1) return [`${tableOf(name.at(-2) as string)}.${column}`]
      return relations.map(({ table }) => `${table}.${column}`)
    }),
  )
}

/** Returns the names of the columns in conditions, without those of subqueries. */
function namesIn(conditions: Tree[]): string[][] {
  const names: string[][] = []
  for (const condition of conditions) {
    walk(condition, (node) => {
      const name = columnOf(node)
      if (name) names.push(name)
      return !name && !('subselect' in node)
    })
  }
  return names
}
