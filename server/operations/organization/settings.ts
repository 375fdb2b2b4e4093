import { eq } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import { audit, changedFields } from '../../audit.ts'
import { fieldInvalid, notFound } from '../../errors.ts'
import { isTimezone } from '../../schedule/time-zones.ts'
import { OrganizationSettings, OrganizationSettingsChange } from '../../schemas/organization/organizations.ts'
import { orgSessionProcedure, requireSection, router } from '../../trpc.ts'

const get = orgSessionProcedure('settings', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .output(OrganizationSettings)
  .query(async ({ ctx }) => {
    const [row] = await ctx.db.select().from(organizations).where(eq(organizations.id, ctx.actor.organizationId))
    if (!row) throw notFound()
    return present(row)
  })

/**
 * Omitted fields keep their values. `requireTotp` applies from the next request on, also to API keys. Only administrators may
 * change it, because it stops the keys of administrators too.
 */
const update = orgSessionProcedure('settings', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid'] } })
  .input(OrganizationSettingsChange)
  .output(OrganizationSettings)
  .mutation(({ ctx, input }) => {
    if (input.timezone !== undefined && !isTimezone(input.timezone)) {
      throw fieldInvalid('timezone', 'must be an IANA time zone such as Europe/Berlin')
    }
    return ctx.db.transaction(async (tx) => {
      const { organizationId } = ctx.actor
      const [before] = await tx
        .select()
        .from(organizations)
        .where(eq(organizations.id, organizationId))
        .for('no key update')
      if (input.requireTotp !== undefined && input.requireTotp !== before?.requireTotp) {
        requireSection(ctx, 'orgAdmin', 'write')
      }
      const [row] = await tx
        .update(organizations)
        // `id` is always set, because drizzle refuses an update without columns.
        .set({ id: organizationId, ...input })
        .where(eq(organizations.id, organizationId))
        .returning()
      if (!before || !row) throw notFound()
      await audit(tx, ctx, {
        action: 'organization.update',
        entityType: 'organization',
        entityId: row.id,
        entityName: row.name,
        details: changedFields(before, input),
      })
      return present(row)
    })
  })

export const organizationSettingsRouter = router({ get, update })

function present(row: typeof organizations.$inferSelect): OrganizationSettings {
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    requireTotp: row.requireTotp,
    createdAt: row.createdAt.toISOString(),
  }
}
