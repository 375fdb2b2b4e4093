import { and, desc, eq, gt, isNotNull, isNull, ne } from '#db/drizzle.cjs'
import { sessions } from '#db/schema/credentials.ts'
import { organizations } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import { notFound } from '../../errors.ts'
import { endSessions, SESSION_IDLE_MS } from '../../identity/auth/sessions.ts'
import { readPage } from '../../paging.ts'
import { SessionPage } from '../../schemas/account/accounts.ts'
import { Ok, PageQuery } from '../../schemas/conventions.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { auditAccount } from './audit-account.ts'
import { revokeProcedure } from './revoke-procedure.ts'

/** Lists the member's active sessions, last used first. */
const list = sessionProcedure
  .input(PageQuery.prefault({}))
  .output(SessionPage)
  .query(({ ctx, input }) => {
    const active = activeSessions(ctx.actor.userId, ctx.now())
    return readPage(
      input,
      ctx.db
        .select({ session: sessions, organization: { id: organizations.id, name: organizations.name } })
        .from(sessions)
        .innerJoin(organizations, eq(organizations.id, sessions.organizationId))
        .where(active)
        .orderBy(desc(sessions.lastSeenAt), desc(sessions.id)),
      () => ctx.db.$count(sessions, active),
      ({ session, organization }) => ({
        id: session.id,
        address: session.address,
        userAgent: session.userAgent,
        organization,
        createdAt: session.createdAt.toISOString(),
        lastSeenAt: session.lastSeenAt.toISOString(),
        isCurrent: session.id === ctx.sessionId,
      }),
    )
  })

const revoke = revokeProcedure.mutation(({ ctx, input }) =>
  ctx.db.transaction(async (tx) => {
    const own = and(eq(sessions.id, input.id), activeSessions(ctx.actor.userId, ctx.now()))
    const [session] = await tx.select({ id: sessions.id }).from(sessions).where(own).for('update')
    if (!session) throw notFound()
    await endSessions(tx, { id: session.id }, ctx.now())
    await audit(tx, ctx, { action: 'session.end', entityType: 'session', entityId: session.id })
    return { ok: true as const }
  }),
)

/** Ends every session of the member except this one. */
const revokeOthers = sessionProcedure.output(Ok).mutation(({ ctx }) =>
  ctx.db.transaction(async (tx) => {
    const { userId, email } = ctx.actor
    const others = and(ne(sessions.id, ctx.sessionId), activeSessions(userId, ctx.now()))
    await tx.update(sessions).set({ revokedAt: ctx.now() }).where(others)
    await auditAccount(tx, ctx, 'session.end_others', { id: userId, email })
    return { ok: true as const }
  }),
)

export const accountSessionsRouter = router({ list, revoke, revokeOthers })

// The epoch needs no check: raising it ends the older sessions.
function activeSessions(userId: string, now: Date) {
  return and(
    eq(sessions.userId, userId),
    isNotNull(sessions.organizationId),
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, now),
    gt(sessions.lastSeenAt, new Date(now.getTime() - SESSION_IDLE_MS)),
  )
}
