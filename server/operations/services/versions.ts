import type { Queryable } from '#db/client.ts'
import { and, desc, eq, lt, sql } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { users } from '#db/schema/organizations.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import {
  ScriptRestore,
  ScriptVersion,
  ScriptVersionPage,
  ScriptVersionQuery,
  ScriptVersionsQuery,
} from '../../schemas/scripts/versions.ts'
import { Service } from '../../schemas/services.ts'
import { lockService } from '../../services/lock-service.ts'
import { presentService } from '../../services/view.ts'
import { router, serviceProcedure } from '../../trpc.ts'
import { requireVersion, SCRIPT_ERRORS, writeScript } from './scripts.ts'

const COLUMNS = {
  version: scriptVersions.version,
  createdAt: scriptVersions.createdAt,
  actorId: scriptVersions.actorId,
  actorEmail: scriptVersions.actorEmail,
  displayName: users.displayName,
  keyName: scriptVersions.keyName,
  restoredFrom: scriptVersions.restoredFrom,
}

/** Lists the saved scripts of a service, newest first. */
const list = serviceProcedure('read')
  .input(ScriptVersionsQuery)
  .output(ScriptVersionPage)
  .query(({ ctx, input }) => {
    const wanted = matchesRow(scriptVersions.serviceId, ctx.service)
    return readPage(
      input,
      ctx.db
        .select({ ...COLUMNS, characters: sql<number>`length(${scriptVersions.script})` })
        .from(scriptVersions)
        .leftJoin(users, eq(users.id, scriptVersions.actorId))
        .where(wanted)
        .orderBy(desc(scriptVersions.version)),
      () => ctx.db.$count(scriptVersions, wanted),
      ({ characters, ...row }) => ({ ...presentVersion(row), characters }),
    )
  })

/** Returns one version with the stored version before it, which it is compared with. */
const get = serviceProcedure('read')
  .input(ScriptVersionQuery)
  .output(ScriptVersion)
  .query(async ({ ctx, input }) => {
    const { script, ...row } = await requireStored(ctx.db, ctx.service, input.version)
    const [previous] = await ctx.db
      .select({ version: scriptVersions.version, script: scriptVersions.script })
      .from(scriptVersions)
      .where(and(matchesRow(scriptVersions.serviceId, ctx.service), lt(scriptVersions.version, input.version)))
      .orderBy(desc(scriptVersions.version))
      .limit(1)
    return { ...presentVersion(row), script, previous: previous ?? null }
  })

/** Saves the text of an older version as a new version. */
const restore = serviceProcedure('write')
  .meta({ api: { errors: [...SCRIPT_ERRORS, 'version_conflict'] } })
  .input(ScriptRestore)
  .output(Service)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lockService(tx, ctx.service)
      requireVersion(row, input.version)
      const { script } = await requireStored(tx, row, input.restore)
      const saved = await writeScript(tx, ctx, row, script, undefined, input.restore)
      return presentService(tx, ctx, saved.row.id)
    }),
  )

export const scriptVersionsRouter = router({ list, get, restore })

async function requireStored(db: Queryable, service: RowKey<string>, version: number) {
  const [row] = await db
    .select({ ...COLUMNS, script: scriptVersions.script })
    .from(scriptVersions)
    .leftJoin(users, eq(users.id, scriptVersions.actorId))
    .where(and(matchesRow(scriptVersions.serviceId, service), eq(scriptVersions.version, version)))
  if (!row) throw notFound()
  return row
}

type VersionRow = Pick<typeof scriptVersions.$inferSelect, Exclude<keyof typeof COLUMNS, 'displayName'>> & {
  displayName: string | null
}

function presentVersion({ version, createdAt, actorId, actorEmail, displayName, keyName, restoredFrom }: VersionRow) {
  return {
    version,
    createdAt: createdAt.toISOString(),
    author: actorId === null ? null : { id: actorId, name: displayName || actorEmail || 'a former member' },
    keyName,
    restoredFrom,
  }
}
