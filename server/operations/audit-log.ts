import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { auditEntries } from '#db/schema/audit.ts'
import { readPage } from '../paging.ts'
import { AuditEntryPage, AuditQuery } from '../schemas/organizations.ts'
import { orgSessionProcedure, router } from '../trpc.ts'

/** Who changed what in the organization, newest first. */
const list = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid'] } })
  .input(AuditQuery.optional())
  .output(AuditEntryPage)
  .query(({ ctx, input }) => {
    const query = input ?? AuditQuery.parse({})
    const { action, entityType, entityId, actorId, since, until } = query
    const wanted = and(
      eq(auditEntries.organizationId, ctx.actor.organizationId),
      action === undefined ? undefined : eq(auditEntries.action, action),
      entityType === undefined ? undefined : eq(auditEntries.entityType, entityType),
      entityId === undefined ? undefined : eq(auditEntries.entityId, entityId),
      actorId === undefined ? undefined : eq(auditEntries.actorId, actorId),
      since === undefined ? undefined : gte(auditEntries.createdAt, new Date(since)),
      until === undefined ? undefined : lt(auditEntries.createdAt, new Date(until)),
    )
    return readPage(
      query,
      (limit, offset) =>
        ctx.db
          .select()
          .from(auditEntries)
          .where(wanted)
          .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
          .limit(limit)
          .offset(offset),
      () => ctx.db.$count(auditEntries, wanted),
      (row) => ({
        id: row.id,
        action: row.action,
        entityType: row.entityType,
        entityId: row.entityId,
        entityName: row.entityName,
        actor: row.actorId === null ? null : { id: row.actorId, email: row.actorEmail ?? '' },
        key: row.keyId === null ? null : { id: row.keyId, name: row.keyName ?? '' },
        // Earlier releases wrote down where the store lies, which is the operator's to know.
        details: row.action === 'body_store.forget' ? {} : row.details,
        address: row.address,
        createdAt: row.createdAt.toISOString(),
      }),
    )
  })

export const auditLogRouter = router({ list })
