import type { Db } from '#db/client.ts'
import { and, eq, isNull, type SQL, sql } from '#db/drizzle.cjs'
import { sqlErrorOf } from '#db/errors.ts'
import { webhookBindings } from '#db/schema/webhooks.ts'
import { REACHABLE } from '../../access.ts'
import type { Actor } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { log } from '../../process/log.ts'

/** Returns the error that the caller gets; for a taken name with the id of its resource, where the caller may see it. */
export async function describeFailure(db: Db, actor: Actor | null, error: unknown): Promise<ApiError> {
  const known = toApiError(error)
  const { constraint, key } = sqlErrorOf(error)
  const holder = constraint === null ? undefined : HOLDERS[constraint]
  if (!actor || !holder || key === null) return known
  const [table, isReachable] = holder
  try {
    const condition = and(isReachable(actor, 'visible'), ...conditionsOf(key))
    const [row] = await db.select({ id: table.id }).from(table).where(condition)
    return row ? new ApiError(known.api, { ...known.details, id: row.id }) : known
  } catch (failure) {
    // The id is optional in the response.
    log.warn({ err: failure, constraint }, 'the existing resource could not be read')
    return known
  }
}

type Table = (typeof REACHABLE)[keyof typeof REACHABLE][0] | typeof webhookBindings
type Holder = readonly [table: Table, isReachable: (actor: Actor, reach: 'visible') => SQL]

/** The tables of the resources whose names and bindings are unique, and which of their rows a caller may see. */
const HOLDERS: Record<string, Holder> = {
  workspaces_name_key: REACHABLE.workspace,
  projects_name_key: REACHABLE.project,
  services_name_key: REACHABLE.service,
  // Only callers who may list the bindings of the resource can violate it.
  webhook_bindings_key: [webhookBindings, (actor) => eq(webhookBindings.organizationId, actor.organizationId)],
}

/** Returns the conditions for `Key (project_id, name)=(…, …) already exists.` Only the last value can contain a comma. */
function conditionsOf(key: string): SQL[] {
  const [, names = '', values = ''] = /\(([a-z_, ]+)\)=\((.*)\)/s.exec(key) ?? []
  const columns = names.split(', ')
  const parts = values.split(', ')
  const given = [...parts.slice(0, columns.length - 1), parts.slice(columns.length - 1).join(', ')]
  return columns.map((column, index) => {
    const name = sql.identifier(column)
    return column.endsWith('_id') && given[index] === 'null' ? isNull(sql`${name}`) : sql`${name} = ${given[index]}`
  })
}
