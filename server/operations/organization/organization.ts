import type { Tx } from '#db/client.ts'
import { and, asc, eq, ne } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { sessions } from '#db/schema/credentials.ts'
import { deletions } from '#db/schema/deletions.ts'
import { memberships, organizations } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { Actor } from '../../context.ts'
import { ApiError, fieldInvalid, notFound } from '../../errors.ts'
import { createOrganization, requireMayOwnAnother } from '../../identity/accounts/organizations.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { SECTIONS } from '../../schemas/account/sections.ts'
import { Ok } from '../../schemas/conventions.ts'
import {
  OrganizationName,
  OrganizationRef,
  OrganizationRemoval,
  OwnershipTransfer,
} from '../../schemas/organization/organizations.ts'
import { expireDeletions } from '../../services/deletions.ts'
import { enqueueClearing } from '../../services/remove-services.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { organizationAgentsRouter } from './agents.ts'
import { alertQuestionRouter } from './alert-question.ts'
import { organizationAuditRouter } from './audit.ts'
import { organizationBodyStoresRouter } from './body-stores.ts'
import { contacts } from './contacts.ts'
import { lockMember, lockMembers } from './delegation.ts'
import { organizationDomainsRouter } from './domains.ts'
import { organizationGroupsRouter } from './groups.ts'
import { organizationInvitationsRouter } from './invitations.ts'
import { organizationMembersRouter } from './members.ts'
import { organizationSettingsRouter } from './settings.ts'
import { organizationWebhooksRouter } from './webhooks.ts'

/** Creates another organization, owned by the member. The session stays in its organization. */
const create = sessionProcedure
  .meta({ api: { errors: ['organization_limit_reached'] } })
  .input(OrganizationName)
  .output(OrganizationRef)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      await requireMayOwnAnother(tx, ctx.actor.userId, ctx.settings)
      const made = await createOrganization(tx, { name: input.name, ownerId: ctx.actor.userId, now: ctx.now() })
      await audit(
        tx,
        { actor: { ...ctx.actor, organizationId: made.id }, address: ctx.address },
        { action: 'organization.create', entityType: 'organization', entityId: made.id, entityName: made.name },
      )
      return { id: made.id, name: made.name }
    }),
  )

/**
 * Makes another active member the owner, unless they own as many organizations as an account may. The former owner keeps
 * write access to every section.
 */
const transferOwnership = sessionProcedure
  .meta({
    api: {
      errors: [
        'insufficient_permissions',
        'not_found',
        'field_invalid',
        'organization_limit_reached',
        ...CREDENTIAL_ERRORS,
      ],
    },
  })
  .input(OwnershipTransfer)
  .output(Ok)
  .mutation(({ ctx, input }) => {
    requireOwner(ctx.actor)
    return withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx) => {
      const newOwner = await lockMember(tx, ctx, input.userId)
      await requireStillOwner(tx, ctx.actor)
      if (!newOwner.isActive) throw fieldInvalid('userId', 'must be an active member')
      if (newOwner.isOwner) throw fieldInvalid('userId', 'must not be the current owner')
      await requireMayOwnAnother(tx, newOwner.userId, ctx.settings)
      const everything = Object.fromEntries(SECTIONS.map((section) => [section, 2]))
      await tx
        .update(memberships)
        .set({ isOwner: false, ...everything })
        .where(matchesId(memberships.id, ctx.actor.organizationId, ctx.actor.membershipId))
      await tx
        .update(memberships)
        .set({ isOwner: true })
        .where(matchesId(memberships.id, ctx.actor.organizationId, newOwner.membershipId))
      await audit(tx, ctx, {
        action: 'organization.transfer_ownership',
        entityType: 'user',
        entityId: newOwner.userId,
        entityName: newOwner.email,
        details: { from: ctx.actor.email, to: newOwner.email },
      })
      return { ok: true as const }
    })
  })

/**
 * Deletes the organization with everything in it. Refused for the owner's only organization, because without one the
 * owner could not sign in. The session continues in the organization that the owner joined first.
 */
const remove = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid', 'last_organization', ...CREDENTIAL_ERRORS] } })
  .input(OrganizationRemoval)
  .output(OrganizationRef)
  .mutation(({ ctx, input }) => {
    requireOwner(ctx.actor)
    const { organizationId, organizationName, userId } = ctx.actor
    if (input.name.trim() !== organizationName) throw fieldInvalid('name', "must be the organization's name")
    return withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx) => {
      await lockMembers(tx, organizationId)
      await requireStillOwner(tx, ctx.actor)
      const [next] = await tx
        .select({ id: organizations.id, name: organizations.name })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
        .where(
          and(eq(memberships.userId, userId), eq(memberships.isActive, true), ne(organizations.id, organizationId)),
        )
        .orderBy(asc(memberships.createdAt), asc(memberships.id))
        .limit(1)
      if (!next) throw new ApiError('last_organization')
      await tx
        .update(sessions)
        .set({ organizationId: next.id })
        .where(and(eq(sessions.userId, userId), eq(sessions.organizationId, organizationId)))
      await clearServices(tx, organizationId)
      const [removed] = await tx
        .delete(organizations)
        .where(eq(organizations.id, organizationId))
        .returning({ isOperator: organizations.isOperator })
      if (removed?.isOperator) await passOperatorOn(tx, userId)
      // The audit log is deleted with it, so the entry goes to the organization in which the session continues.
      await audit(
        tx,
        { actor: { ...ctx.actor, organizationId: next.id }, address: ctx.address },
        { action: 'organization.remove', entityType: 'organization', entityId: organizationId },
      )
      return next
    })
  })

/** Administration of the organization, offered by the dashboard only. */
export const organizationRouter = router({
  create,
  remove,
  transferOwnership,
  contacts,
  settings: organizationSettingsRouter,
  members: organizationMembersRouter,
  invitations: organizationInvitationsRouter,
  groups: organizationGroupsRouter,
  agents: organizationAgentsRouter,
  bodyStores: organizationBodyStoresRouter,
  domains: organizationDomainsRouter,
  webhooks: organizationWebhooksRouter,
  alertQuestion: alertQuestionRouter,
  audit: organizationAuditRouter,
})

function requireOwner(actor: Actor): void {
  if (!actor.isOwner) throw new ApiError('insufficient_permissions')
}

/** Reads the ownership again, because it can have changed while the password was checked. */
async function requireStillOwner(tx: Tx, actor: Actor): Promise<void> {
  const [row] = await tx
    .select({ isOwner: memberships.isOwner })
    .from(memberships)
    .where(matchesId(memberships.id, actor.organizationId, actor.membershipId))
  if (!row) throw notFound()
  if (!row.isOwner) throw new ApiError('insufficient_permissions')
}

/** The oldest organization that the same person owns becomes the operator's. Other owners must not become operators. */
async function passOperatorOn(tx: Tx, userId: string): Promise<void> {
  const [next] = await tx
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.isActive, true), eq(memberships.isOwner, true)))
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(1)
  if (next) await tx.update(organizations).set({ isOperator: true }).where(eq(organizations.id, next.id))
}

async function clearServices(tx: Tx, organizationId: string): Promise<void> {
  await expireDeletions(tx, eq(deletions.organizationId, organizationId))
  const rows = await tx.select({ id: services.id }).from(services).where(eq(services.organizationId, organizationId))
  await enqueueClearing(
    tx,
    organizationId,
    rows.map(({ id }) => id),
  )
}
