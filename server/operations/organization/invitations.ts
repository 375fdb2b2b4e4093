import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, asc, eq, gt, isNull } from '#db/drizzle.cjs'
import { groups, invitations, memberships, users } from '#db/schema/organizations.ts'
import { countMail } from '../../alerts/mail/rate-limits.ts'
import { unlinked } from '../../alerts/mail/text.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { INVITATION_MAX_MS, mayInvite } from '../../identity/accounts/invitations.ts'
import { linkUrl, newLinkToken } from '../../identity/accounts/link-tokens.ts'
import { readRows } from '../../paging.ts'
import { enqueueMail } from '../../schedule/jobs.ts'
import { levelNames, SECTIONS } from '../../schemas/account/sections.ts'
import { Id, Ok, PageQuery } from '../../schemas/conventions.ts'
import { CreatedInvitation, InvitationRequest, OpenInvitationPage } from '../../schemas/organization/organizations.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import { levelsOf, requireGrantableGroups, requireOwnLevels, toLevels } from './delegation.ts'
import { accessDetails, placeReader, requirePlaces } from './invitation-places.ts'

/**
 * Invites an address. If mail is configured, the link is only mailed, so that opening it verifies the address; otherwise
 * the response contains it. The link works once, within seven days. It replaces an earlier invitation of the address.
 */
export const invite = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'already_exists', 'rate_limited'] } })
  .input(InvitationRequest)
  .output(CreatedInvitation)
  .mutation(async ({ ctx, input }) => {
    const { organizationId, userId } = ctx.actor
    const permissions = toLevels(input.permissions ?? {})
    requireOwnLevels(ctx.actor, permissions)
    const isMailed = ctx.settings.SMTP_URL !== undefined
    if (isMailed) await countMail(ctx.db, 'invitation', { userId, organizationId, to: input.email })
    return ctx.db.transaction(async (tx) => {
      const joined = await requireGrantableGroups(tx, ctx.actor, input.groupIds ?? [])
      const places = await requirePlaces({ db: tx, actor: ctx.actor }, input.places ?? [])
      await requireNotMember(tx, organizationId, input.email)
      const { token, digest } = newLinkToken()
      const row = {
        id: uuidv7(),
        organizationId,
        email: input.email,
        tokenDigest: digest,
        isMailed,
        groupIds: joined.map((group) => group.id),
        permissions,
        places,
        invitedBy: userId,
        createdAt: ctx.now(),
        expiresAt: new Date(ctx.now().getTime() + INVITATION_MAX_MS),
      }
      await tx.delete(invitations).where(and(isOpenInvitation(ctx), eq(invitations.email, input.email)))
      await tx.insert(invitations).values(row)
      await audit(tx, ctx, {
        action: 'invitation.create',
        entityType: 'invitation',
        entityId: row.id,
        entityName: row.email,
        details: {
          permissions: input.permissions ?? {},
          groups: joined.map((group) => group.name),
          ...(places.length > 0 && { access: accessDetails(places) }),
        },
      })
      const url = linkUrl(ctx.settings, 'invitation', token)
      if (!isMailed) return { id: row.id, token, url }
      await enqueueMail(tx, ctx.actor.organizationId, invitationMail(ctx, input.email, url))
      return { id: row.id, token: null, url: null }
    })
  })

async function requireNotMember(tx: Tx, organizationId: string, email: string): Promise<void> {
  const [member] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(users.email, email)))
  if (member) throw new ApiError('already_exists')
}

/** Lists the invitations that can be accepted, oldest first, without their links. */
const list = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .input(PageQuery.prefault({}))
  .output(OpenInvitationPage)
  .query(async ({ ctx, input }) => {
    const canBeAccepted = and(isOpenInvitation(ctx), mayInvite(invitations))
    const names = await ctx.db
      .select({ id: groups.id, name: groups.name })
      .from(groups)
      .where(eq(groups.organizationId, ctx.actor.organizationId))
    const page = await readRows(
      input,
      ctx.db
        .select({ invitation: invitations, invitedBy: users.email })
        .from(invitations)
        .leftJoin(users, eq(users.id, invitations.invitedBy))
        .where(canBeAccepted)
        .orderBy(asc(invitations.createdAt), asc(invitations.id)),
      () => ctx.db.$count(invitations, canBeAccepted),
    )
    const promised = page.items.flatMap(({ invitation }) => invitation.places)
    const showPlace = await placeReader(ctx.db, ctx.actor, promised)
    return {
      ...page,
      items: page.items.map(({ invitation, invitedBy }) => {
        const kept = names.filter((group) => invitation.groupIds.includes(group.id))
        return {
          id: invitation.id,
          email: invitation.email,
          groups: kept,
          lostGroups: invitation.groupIds.length - kept.length,
          permissions: levelNames(levelsOf({ ...NO_LEVELS, ...invitation.permissions })),
          places: invitation.places.map(showPlace),
          invitedBy,
          createdAt: invitation.createdAt.toISOString(),
          expiresAt: invitation.expiresAt.toISOString(),
        }
      }),
    }
  })

const withdraw = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ id: Id }))
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(invitations)
        .where(and(isOpenInvitation(ctx), eq(invitations.id, input.id)))
        .returning()
      if (!gone) throw notFound()
      await audit(tx, ctx, {
        action: 'invitation.withdraw',
        entityType: 'invitation',
        entityId: gone.id,
        entityName: gone.email,
      })
      return { ok: true as const }
    }),
  )

export const organizationInvitationsRouter = router({ list, withdraw })

const NO_LEVELS = Object.fromEntries(SECTIONS.map((section) => [section, 0])) as Record<
  (typeof SECTIONS)[number],
  number
>

function isOpenInvitation(ctx: ActorContext) {
  return and(
    eq(invitations.organizationId, ctx.actor.organizationId),
    isNull(invitations.acceptedAt),
    gt(invitations.expiresAt, ctx.now()),
  )
}

function invitationMail({ actor }: ActorContext, to: string, url: string) {
  return {
    to,
    subject: `Join ${unlinked(actor.organizationName)} on Soundline`,
    text: [
      `${unlinked(actor.displayName)} invites you to ${unlinked(actor.organizationName)} on Soundline.`,
      `Open this link within seven days to join:\n${url}`,
      'If you did not expect this invitation, ignore this mail.',
    ].join('\n\n'),
  }
}
