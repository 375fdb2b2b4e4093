import { v7 as uuidv7 } from 'uuid'
import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { and, eq, isNull, type SQL, sql } from '#db/drizzle.cjs'
import { sessions } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import type { Actor, Context, Runtime, SessionPort } from '../../context.ts'
import { HOUR_MS, MINUTE_MS } from '../../durations.ts'
import { originOf } from '../../http/own-host.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from './actor.ts'
import { readChallengeCookie, readDeviceCookie, readSessionCookie, SESSION_MAX_MS } from './cookies.ts'

/** A session ends after this long without use. */
export const SESSION_IDLE_MS = 12 * HOUR_MS

/** How old `lastSeenAt` can get before a request updates it. */
const TOUCH_MS = MINUTE_MS

/** Returns the context of a dashboard request, with an actor when its cookie names an active session. */
export async function contextFromSession(
  runtime: Runtime,
  request: { cookies: string | null; userAgent: string; address: string; requestId: string; host: string | null },
  setters: Pick<SessionPort, 'setCookie' | 'setChallenge'>,
): Promise<Context> {
  const sessionId = await readSessionCookie(runtime, request.cookies)
  const found = sessionId === null ? null : await findSession(runtime, sessionId)
  return {
    ...runtime,
    actor: found?.needsTotp ? null : (found?.actor ?? null),
    address: request.address,
    requestId: request.requestId,
    origin: originOf(request.host, runtime.settings),
    session: {
      ...setters,
      device: () => readDeviceCookie(runtime, request.cookies),
      challenge: () => readChallengeCookie(runtime, request.cookies),
      userAgent: request.userAgent,
      unenrolled: found?.needsTotp ? found.actor : null,
    },
  }
}

/** Returns the member of an active session; null when the session, membership or account has ended. */
async function findSession(runtime: Runtime, sessionId: string): Promise<{ actor: Actor; needsTotp: boolean } | null> {
  const [row] = await findSessions(runtime, sql`s.id = ${sessionId}`)
  const actor = row ? toActor(row, { key: null, sessionId }) : null
  if (!row || !actor) return null
  const now = runtime.now()
  if (row.isStale) await runtime.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, sessionId))
  return { actor, needsTotp: row.needsTotp }
}

/** Returns the organization of each session with which its member can use the dashboard now, by the session's id. */
export async function findUsableSessions(
  runtime: Pick<Runtime, 'db' | 'now'>,
  sessionIds: string[],
): Promise<Map<string, string>> {
  const rows = await findSessions(runtime, sql`s.id = any(${uuids(sessionIds)})`)
  const usable = rows.filter(({ membershipId, isActive, needsTotp }) => membershipId !== null && isActive && !needsTotp)
  return new Map(usable.map(({ sessionId, organizationId }) => [sessionId, organizationId]))
}

type SessionRow = MemberRow & { sessionId: string; isStale: boolean }

/** Returns the chosen sessions `s` that have not ended, with their members. */
function findSessions({ db, now }: Pick<Runtime, 'db' | 'now'>, chosen: SQL): Promise<SessionRow[]> {
  const at = (ms: number) => sql`${new Date(now().getTime() - ms).toISOString()}::timestamptz`
  return db.execute<SessionRow>(sql`
    select ${memberColumns}, s.id as "sessionId", s.last_seen_at < ${at(TOUCH_MS)} as "isStale"
    from sessions s
    join users u on u.id = s.user_id
    join organizations o on o.id = s.organization_id
    ${memberJoins}
    where ${chosen} and s.revoked_at is null and s.epoch = u.session_epoch
      and s.expires_at > ${at(0)} and s.last_seen_at > ${at(SESSION_IDLE_MS)}`)
}

/** Starts a session in the transaction that checked the credentials, and sets its cookie. Returns its id. */
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

/** After a change of password or second factor: ends every session of the user and starts a new one here. */
export async function renewSessions(
  tx: Queryable,
  ctx: Context & { session: SessionPort; actor: Actor },
  userId: string,
): Promise<void> {
  const epoch = await endAllSessions(tx, userId, ctx.now())
  if (epoch === null) return
  await startSession(tx, ctx, { userId, organizationId: ctx.actor.organizationId, epoch })
}

/** Ends every session of a user, and all links and devices of their epoch. Returns the new epoch; null without user. */
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

/** Ends one session, all sessions of a user, or those in one organization. */
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
