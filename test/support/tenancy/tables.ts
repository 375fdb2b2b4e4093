import { globSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { ROOT } from '#server/process/program.ts'

/** The tables whose rows each belong to one organization. */
export const TENANT_TABLES: ReadonlySet<string> = new Set(
  (await Promise.all(globSync(join(ROOT, 'db/schema/*.ts')).map((file) => import(file))))
    .flatMap((module) => Object.values(module as object))
    .filter((value) => is(value, PgTable))
    .map((table) => getTableConfig(table))
    .filter(({ columns }) => columns.some(({ name, notNull }) => name === 'organization_id' && notNull))
    .map(({ name }) => name),
)
