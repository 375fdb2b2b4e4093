import { and, desc, eq, gte, lt } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesRow } from '#db/row-match.ts'
import { auditEntries, keyUsage } from '#db/schema/audit.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { memberships, users } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { LEVEL_NEEDED, reachesService } from '../../access.ts'
import { readPage } from '../../paging.ts'
import {
  AUDIT_PEOPLE_MAX,
  AuditEntryPage,
  AuditPeople,
  AuditQuery,
  KeyUsagePage,
  KeyUsageQuery,
} from '../../schemas/organization/organizations.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'

/** Lists the audit entries of the organization, newest first. */
const list = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid'] } })
  .input(AuditQuery.prefault({}))
  .output(AuditEntryPage)
  .query(({ ctx, input }) => {
    const { action, entityType, entityId, actorId, since, until } = input
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
      input,
      ctx.db
        .select({ row: auditEntries, serviceId: services.id, actorName: users.displayName })
        .from(auditEntries)
        // Former members keep only the address that the entry recorded.
        .leftJoin(
          memberships,
          and(eq(memberships.userId, auditEntries.actorId), eq(memberships.organizationId, ctx.actor.organizationId)),
        )
        .leftJoin(users, eq(users.id, memberships.userId))
        .leftJoin(services, and(matchesRow(auditEntries.entityId, services), reachesService(ctx.actor, 'read')))
        .where(wanted)
        .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id)),
      () => ctx.db.$count(auditEntries, wanted),
      ({ row, serviceId, actorName }) => ({
        id: row.id,
        action: row.action,
        entityType: row.entityType,
        entityId: row.entityId,
        entityName: row.entityName,
        actor: row.actorId === null ? null : { id: row.actorId, email: row.actorEmail ?? '', name: actorName },
        key: row.keyId === null ? null : { id: row.keyId, name: row.keyName ?? '' },
        details: shownDetails(row, serviceId !== null || ctx.actor.sections.workspaces >= LEVEL_NEEDED.read),
        address: row.address,
        createdAt: row.createdAt.toISOString(),
      }),
    )
  })

/** Lists the members by name, for the filter: those who may read the log may not be allowed to read the directory. */
const people = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .output(AuditPeople)
  .query(({ ctx }) =>
    ctx.db
      .select({ id: users.id, name: users.displayName, email: users.email })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.organizationId, ctx.actor.organizationId))
      .orderBy(byName(users.displayName), users.id)
      .limit(AUDIT_PEOPLE_MAX),
  )

/** Lists how often API keys called each operation, by hour, newest hour first. */
const keyUsageList = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid'] } })
  .input(KeyUsageQuery.prefault({}))
  .output(KeyUsagePage)
  .query(({ ctx, input }) => {
    const wanted = and(
      eq(keyUsage.organizationId, ctx.actor.organizationId),
      input.keyId === undefined ? undefined : eq(keyUsage.keyId, input.keyId),
    )
    return readPage(
      input,
      ctx.db
        .select({
          hour: keyUsage.hour,
          key: { id: apiKeys.id, name: apiKeys.name, prefix: apiKeys.prefix },
          member: { id: users.id, email: users.email },
          operation: keyUsage.operation,
          requests: keyUsage.requests,
          refused: keyUsage.refused,
          lastUsedAt: keyUsage.lastUsedAt,
        })
        .from(keyUsage)
        .innerJoin(apiKeys, matchesRow(keyUsage.keyId, apiKeys))
        .innerJoin(users, eq(users.id, apiKeys.userId))
        .where(wanted)
        .orderBy(desc(keyUsage.hour), desc(keyUsage.lastUsedAt), keyUsage.keyId, keyUsage.operation),
      () => ctx.db.$count(keyUsage, wanted),
      (row) => ({ ...row, hour: row.hour.toISOString(), lastUsedAt: row.lastUsedAt.toISOString() }),
    )
  })

export const organizationAuditRouter = router({ list, people, keyUsage: keyUsageList })

/** The diff of a script is left out for members who may not read the service. */
function shownDetails({ details }: typeof auditEntries.$inferSelect, mayRead: boolean) {
  if (mayRead || !('diff' in details)) return details
  const { diff: _, ...others } = details
  return others
}
