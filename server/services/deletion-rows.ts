import { uuids } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import type { PgTable } from '#db/drizzle.cjs'
import { getTableColumns, getTableName, type SQL, sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { follows } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { projects, serviceAgents, services } from '#db/schema/resources.ts'
import { grants, silences, variables } from '#db/schema/scoped.ts'
import { webhookBindings } from '#db/schema/webhooks.ts'

// Moves the rows of deleted services and projects to `deleted_rows` and back, as JSON, in SQL alone.

type KeptTable = {
  table: PgTable
  /** Whether rows also belong to projects, by a column `project_id`. */
  isScoped?: true
  /** Whether a row's other references still exist. Only such rows are restored. */
  isValid?: SQL
}

const memberExists = sql`exists (select from memberships m where (m.organization_id, m.id) = (p.organization_id, p.membership_id))`

/** The tables that cascade from services and projects, parents first, but for draft runs. */
export const KEPT_TABLES: KeptTable[] = [
  {
    table: serviceAgents,
    isValid: sql`exists (select from agents a where a.id = p.agent_id
      and (a.organization_id is null or a.organization_id = p.organization_id))`,
  },
  { table: variables, isScoped: true },
  {
    table: grants,
    isScoped: true,
    isValid: sql`(p.membership_id is null or ${memberExists})
      and (p.group_id is null or exists (select from groups g
        where (g.organization_id, g.id) = (p.organization_id, p.group_id)))`,
  },
  { table: silences, isScoped: true, isValid: memberExists },
  { table: maintenances, isScoped: true },
  { table: follows, isScoped: true, isValid: memberExists },
  {
    table: webhookBindings,
    isScoped: true,
    isValid: sql`exists (select from webhooks w where (w.organization_id, w.id) = (p.organization_id, p.webhook_id))`,
  },
]

/** Copies the rows of single services. The deletions of these ids exist, one per service. */
export async function keepServiceRows(tx: Tx, organizationId: string, deletionIds: string[]): Promise<void> {
  const of = (key: SQL) => sql`join deletions d on (d.organization_id, d.service_id) = (t.organization_id, ${key})
    where d.organization_id = ${organizationId} and d.id = any(${uuids(deletionIds)})`
  await keepRows(tx, services, of(sql`t.id`))
  for (const { table } of KEPT_TABLES) await keepRows(tx, table, of(sql`t.service_id`))
}

/** Copies the rows of a project and its services. The deletion exists. */
export async function keepProjectRows(
  tx: Tx,
  { organizationId, id }: RowKey<string>,
  projectId: string,
): Promise<void> {
  const within = sql`select s.id from services s
    where s.organization_id = ${organizationId} and s.project_id = ${projectId}`
  const of = (condition: SQL) => sql`join deletions d on d.organization_id = t.organization_id and d.id = ${id}
    where t.organization_id = ${organizationId} and ${condition}`
  await keepRows(tx, projects, of(sql`t.id = ${projectId}`))
  await keepRows(tx, services, of(sql`t.project_id = ${projectId}`))
  for (const { table, isScoped } of KEPT_TABLES) {
    const ofServices = sql`t.service_id = any(array(${within}))`
    await keepRows(tx, table, of(isScoped ? sql`(t.project_id = ${projectId} or ${ofServices})` : ofServices))
  }
}

/** `from` continues `from TABLE t`, and joins the deletion `d`. */
async function keepRows(tx: Tx, table: PgTable, from: SQL): Promise<void> {
  const columns = getTableColumns(table)
  await tx.execute(sql`
    insert into deleted_rows (deletion_id, table_name, position, organization_id, id, row, sealed)
    select d.id, ${getTableName(table)}, row_number() over (partition by d.id), t.organization_id,
      ${'id' in columns ? sql`t.id` : sql`null::uuid`}, to_jsonb(t) - 'sealed',
      ${'sealed' in columns ? sql`t.sealed` : sql`null::bytea`}
    from ${table} t ${from}`)
}

/** Inserts the kept rows of a deletion again. Its names must be free. */
export async function restoreRows(tx: Tx, { organizationId, id }: RowKey<string>): Promise<void> {
  for (const { table, isValid } of [{ table: projects }, { table: services }, ...KEPT_TABLES] as KeptTable[]) {
    const kept = sql`from deleted_rows r where r.organization_id = ${organizationId} and r.deletion_id = ${id}
      and r.table_name = ${getTableName(table)}`
    // A column that a later release added has its default.
    const known = await tx.execute<{ name: string }>(sql`
      select jsonb_object_keys(r.row) as name ${kept} and r.position = 1`)
    if (known.length === 0) continue
    const present = new Set(known.map(({ name }) => name))
    const all = Object.values(getTableColumns(table)).flatMap(({ name, generated }) => (generated ? [] : name))
    const names = all.filter((name) => present.has(name) || name === 'sealed')
    const listed = sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    )
    const values = sql.join(
      names.map((name) => (name === 'sealed' ? sql`kept.sealed` : sql`p.${sql.identifier(name)}`)),
      sql`, `,
    )
    await tx.execute(sql`
      insert into ${table} (${listed}) select ${values}
      from (select r.row, r.sealed ${kept}) kept
        cross join lateral jsonb_populate_record(null::${table}, kept.row) p
      ${isValid ? sql`where ${isValid}` : sql``}`)
  }
}
