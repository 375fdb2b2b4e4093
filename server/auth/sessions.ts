import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { sessions } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import type { Actor, Context, Runtime, SessionPort } from '../context.ts'
import { HOUR_MS, MINUTE_MS } from '../durations.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from './actor.ts'
import { readDeviceCookie, readSessionCookie, SESSION_MAX_MS } from './cookies.ts'

/** A session unused for this long is over. */
export const SESSION_IDLE_MS = 12 * HOUR_MS

/** How stale `lastSeenAt` may get before a request writes it anew. */
const TOUCH_MS = MINUTE_MS

/** The context of a dashboard request: with an actor when its cookie names a session that is alive. */
export async function contextFromSession(
  runtime: Runtime,
  request: { cookies: string | null; userAgent: string; address: string; requestId: string },
  setCookie: SessionPort['setCookie'],
): Promise<Context> {
  const sessionId = await readSessionCookie(runtime, request.cookies)
  const found = sessionId === null ? null : await findSession(runtime, sessionId)
  return {
    ...runtime,
    actor: found?.needsTotp ? null : (found?.actor ?? null),
    address: request.address,
    requestId: request.requestId,
    session: {
      setCookie,
      device: () => readDeviceCookie(runtime, request.cookies),
      userAgent: request.userAgent,
      unenrolled: found?.needsTotp ? found.actor : null,
    },
  }
}

/** The member behind a live session; null when it ended in any way, or its membership or account did. */
async function findSession(runtime: Runtime, sessionId: string): Promise<{ actor: Actor; needsTotp: boolean } | null> {
  const now = runtime.now()
  const at = (ms: number) => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`
  const [row] = await runtime.db.execute<MemberRow & { isStale: boolean }>(sql`
    select ${memberColumns}, s.last_seen_at < ${at(TOUCH_MS)} as "isStale"
    from sessions s
    join users u on u.id = s.user_id
    join organizations o on o.id = s.organization_id
    ${memberJoins}
    where s.id = ${sessionId} and s.revoked_at is null and s.epoch = u.session_epoch
      and s.expires_at > ${at(0)} and s.last_seen_at > ${at(SESSION_IDLE_MS)}`)
  const actor = row ? toActor(row, { key: null, sessionId }) : null
  if (!row || !actor) return null
  if (row.isStale) await runtime.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, sessionId))
  return { actor, needsTotp: row.needsTotp }
}

/** Begins a session in the transaction that earned it, and hands its cookie to the answer. Returns its id. */
export async function startSession(
  tx: Queryable,
  ctx: Context & { session: SessionPort },
  session: { userId: string; organizationId: string; epoch: number },
): Promise<string> {
  const now = ctx.now()
  const id = uuidv7()
  await tx.insert(sessions).values({
    id,
    ...session,
    address: ctx.address,
    userAgent: ctx.session.userAgent.slice(0, 256),
    lastSeenAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MAX_MS),
  })
  ctx.session.setCookie({ id, userId: session.userId, epoch: session.epoch })
  return id
}

/** After a change of password or second factor: every session of the user ends, and this one begins anew. */
export async function renewSessions(
  tx: Queryable,
  ctx: Context & { session: SessionPort; actor: Actor },
  userId: string,
): Promise<void> {
  const epoch = await endAllSessions(tx, userId, ctx.now())
  if (epoch === null) return
  await startSession(tx, ctx, { userId, organizationId: ctx.actor.organizationId, epoch })
}

/** Ends every session of a user, and whatever else is of their epoch. Returns the new one; null for no such user. */
export async function endAllSessions(tx: Queryable, userId: string, now: Date): Promise<number | null> {
  const [account] = await tx
    .update(users)
    .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, userId))
    .returning({ epoch: users.sessionEpoch })
  if (!account) return null
  await endSessions(tx, { userId }, now)
  return account.epoch
}

export type SessionChoice = { id: string } | { userId: string; organizationId?: string }

/** Ends one session, or a user's: all of them, or those in one organization. */
export async function endSessions(tx: Queryable, choice: SessionChoice, now: Date): Promise<void> {
  const chosen =
    'id' in choice
      ? eq(sessions.id, choice.id)
      : and(
          eq(sessions.userId, choice.userId),
          choice.organizationId === undefined ? undefined : eq(sessions.organizationId, choice.organizationId),
        )
  await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(chosen, isNull(sessions.revokedAt)))
}
