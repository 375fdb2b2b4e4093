import { type Finding, judgePart, type Relation } from './part.ts'
import { child, children, nodeOf, parse, type Tree, textOf, walk } from './syntax.ts'

// Rows of organizations can be placed by their organization only if each statement names it: in every join of such tables,
// and with a value in the end.

/** What an inner part sees: common table expressions and whether they read tables of organizations, and the relations around it. */
type Outside = { ctes: ReadonlyMap<string, boolean>; relations: Relation[] }

/**
 * Returns what a text does to `tables` without naming their organization.
 * @throws Error when PostgreSQL would refuse the text
 */
export function judge(text: string, tables: ReadonlySet<string>): Finding[] {
  const judged = new Judge(tables)
  for (const statement of parse(text)) judged.statement(statement, { ctes: new Map(), relations: [] })
  return judged.findings
}

class Judge {
  readonly findings: Finding[] = []
  readonly #tables: ReadonlySet<string>

  constructor(tables: ReadonlySet<string>) {
    this.#tables = tables
  }

  statement(tree: Tree, outside: Outside): void {
    const [[type, value] = []] = Object.entries(tree)
    const body = value as Tree
    if (type === 'SelectStmt') this.#select(body, outside)
    else if (type === 'InsertStmt') this.#insert(body, outside)
    else if (type === 'UpdateStmt') this.#part(body, [targetOf(body), ...children(body, 'fromClause')], outside)
    else if (type === 'DeleteStmt') this.#part(body, [targetOf(body), ...children(body, 'usingClause')], outside)
    else if (type === 'MergeStmt') throw new Error('`merge` is not judged yet')
    else if (body && child(body, 'query')) this.statement(child(body, 'query') as Tree, outside)
  }

  #select(select: Tree, outside: Outside): void {
    const larg = child(select, 'larg')
    const rarg = child(select, 'rarg')
    if (!larg || !rarg) {
      this.#part(select, children(select, 'fromClause'), outside)
      return
    }
    const inside = { ...outside, ctes: this.#ctes(select, outside) }
    this.#select(larg, inside)
    this.#select(rarg, inside)
  }

  #insert(insert: Tree, outside: Outside): void {
    const table = textOf(child(insert, 'relation'), 'relname') ?? ''
    const columns = children(insert, 'cols').map((column) => textOf(nodeOf(column, 'ResTarget'), 'name'))
    if (this.#tables.has(table) && columns.length > 0 && !columns.includes('organization_id')) {
      this.findings.push({ kind: 'apart', tables: [table], columns: new Set() })
    }
    const inside = { ...outside, ctes: this.#ctes(insert, outside) }
    const query = child(insert, 'selectStmt')
    if (query) this.statement(query, inside)
    this.#subqueries({ conflict: insert.onConflictClause, returning: insert.returningClause }, inside)
  }

  /** Judges one level: its relations with its conditions, and what is inside of them. */
  #part(part: Tree, from: Tree[], outside: Outside): void {
    const ctes = this.#ctes(part, outside)
    const relations: Relation[] = []
    const conditions: Tree[] = []
    const shared: [string, string][] = []
    const queries: Tree[] = []
    const add = (item: Tree): string[] => {
      const join = nodeOf(item, 'JoinExpr')
      if (!join) {
        const relation = this.#relation(item, ctes)
        const query = nodeOf(item, 'RangeSubselect')
        queries.push(query ? (child(query, 'subquery') as Tree) : item)
        relations.push(relation)
        return [relation.alias]
      }
      const left = add(child(join, 'larg') as Tree)
      const right = add(child(join, 'rarg') as Tree)
      const using = children(join, 'usingClause').map((name) => textOf(nodeOf(name, 'String'), 'sval'))
      if (using.includes('organization_id')) shared.push([left.at(-1) ?? '', right[0] ?? ''])
      const quals = child(join, 'quals')
      if (quals) conditions.push(quals)
      return [...left, ...right]
    }
    for (const item of from) add(item)
    const where = child(part, 'whereClause')
    if (where) conditions.push(where)

    const inside = { ctes, relations: [...relations, ...outside.relations] }
    for (const query of queries) {
      if ('SelectStmt' in query) this.statement(query, inside)
      else this.#subqueries(query, inside)
    }
    const { withClause: _, fromClause: __, usingClause: ___, relation: ____, ...rest } = part
    this.#subqueries({ ...rest, conditions: conditions.filter((each) => each !== where) }, inside)
    const finding = judgePart({ relations, conditions, shared, outer: outside.relations })
    if (finding) this.findings.push(finding)
  }

  #relation(item: Tree, ctes: ReadonlyMap<string, boolean>): Relation {
    const [body] = Object.values(item) as [Tree]
    const name = 'RangeVar' in item ? textOf(body, 'relname') : null
    const alias = textOf(child(body, 'alias'), 'aliasname') ?? name ?? ''
    const isTable = name !== null && !ctes.has(name) && this.#tables.has(name)
    return {
      alias,
      table: isTable ? name : null,
      knowsOrganization: this.#reads(item, ctes),
      key: name === 'organizations' ? 'id' : 'organization_id',
    }
  }

  /** Judges the common table expressions of a statement, and returns all that it sees. */
  #ctes(statement: Tree, outside: Outside): ReadonlyMap<string, boolean> {
    const ctes = new Map(outside.ctes)
    const clause = child(statement, 'withClause')
    for (const each of clause ? children(clause, 'ctes') : []) {
      const cte = nodeOf(each, 'CommonTableExpr') as Tree
      const name = textOf(cte, 'ctename') ?? ''
      const query = child(cte, 'ctequery') as Tree
      if (clause?.recursive) ctes.set(name, true)
      this.statement(query, { ...outside, ctes })
      ctes.set(name, this.#reads(query, ctes))
    }
    return ctes
  }

  /** Whether a relation or query has rows of organizations. */
  #reads(tree: Tree, ctes: ReadonlyMap<string, boolean>): boolean {
    let isFound = false
    walk(tree, (node) => {
      const name = textOf(nodeOf(node, 'RangeVar') ?? child(node, 'relation'), 'relname')
      isFound ||= name !== null && (ctes.get(name) ?? this.#tables.has(name))
      return !isFound
    })
    return isFound
  }

  #subqueries(tree: Tree, outside: Outside): void {
    walk(tree, (node) => {
      const query = nodeOf(node, 'SubLink') && child(nodeOf(node, 'SubLink') as Tree, 'subselect')
      if (query) this.statement(query, outside)
      return !query
    })
  }
}

/** The table that a statement changes, as a relation. */
function targetOf(statement: Tree): Tree {
  return { RangeVar: statement.relation }
}
