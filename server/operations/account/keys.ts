import { v7 as uuidv7 } from 'uuid'
import { and, desc, eq, gt, isNull, or } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { organizations } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import { DAY_MS } from '../../durations.ts'
import { ApiError, notFound } from '../../errors.ts'
import { mintKey } from '../../identity/auth/api-keys.ts'
import { CREDENTIAL_ERRORS, withCredentials } from '../../identity/auth/credentials.ts'
import { readPage } from '../../paging.ts'
import { type AccountKey, AccountKeyInput, AccountKeyPage, CreatedAccountKey } from '../../schemas/account/keys.ts'
import { PageQuery } from '../../schemas/conventions.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { presentKey } from '../key.ts'
import { revokeProcedure } from './revoke-procedure.ts'

/** Creates a key that acts as the member in the session's organization. Only this response contains the key. */
const create = sessionProcedure
  .meta({ api: { errors: [...CREDENTIAL_ERRORS, 'key_limit_reached'] } })
  .input(AccountKeyInput)
  .output(CreatedAccountKey)
  .mutation(({ ctx, input }) =>
    withCredentials(ctx, { ...input, email: ctx.actor.email }, async (tx, account) => {
      const now = ctx.now()
      // `withCredentials` has locked the account, so parallel creations cannot exceed the limit.
      const held = await tx.$count(
        apiKeys,
        and(
          eq(apiKeys.userId, account.id),
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        ),
      )
      const max = ctx.settings.KEYS_PER_MEMBER_MAX
      if (held >= max) throw new ApiError('key_limit_reached', { max })
      const { token, prefix, digest } = mintKey()
      const row = {
        id: uuidv7(),
        organizationId: ctx.actor.organizationId,
        userId: account.id,
        name: input.name,
        prefix,
        access: input.access,
        expiresAt: input.expiresInDays === null ? null : new Date(now.getTime() + input.expiresInDays * DAY_MS),
        revokedAt: null,
        lastOkAt: null,
        createdAt: now,
      }
      await tx.insert(apiKeys).values({ ...row, digest })
      await audit(tx, ctx, {
        action: 'api_key.create',
        entityType: 'api_key',
        entityId: row.id,
        entityName: row.name,
        details: { prefix, access: row.access, expiresAt: row.expiresAt?.toISOString() ?? null },
      })
      const organization = { id: ctx.actor.organizationId, name: ctx.actor.organizationName }
      return { key: token, info: present(row, organization, account) }
    }),
  )

/** Lists the member's keys in every organization, revoked and expired ones too, newest first. */
const list = sessionProcedure
  .input(PageQuery.prefault({}))
  .output(AccountKeyPage)
  .query(({ ctx, input }) => {
    const own = eq(apiKeys.userId, ctx.actor.userId)
    return readPage(
      input,
      ctx.db
        .select({ key: apiKeys, organization: { id: organizations.id, name: organizations.name } })
        .from(apiKeys)
        .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
        .where(own)
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
      () => ctx.db.$count(apiKeys, own),
      ({ key, organization }) => present(key, organization, { id: ctx.actor.userId, email: ctx.actor.email }),
    )
  })

/** Revokes a key permanently. Its next request fails with `api_key_revoked`. Revoking it again changes nothing. */
const revoke = revokeProcedure.mutation(({ ctx, input }) =>
  ctx.db.transaction(async (tx) => {
    const own = and(eq(apiKeys.id, input.id), eq(apiKeys.userId, ctx.actor.userId))
    const [key] = await tx.select().from(apiKeys).where(own).for('update')
    if (!key) throw notFound()
    if (key.revokedAt) return { ok: true as const }
    await tx.update(apiKeys).set({ revokedAt: ctx.now() }).where(matchesRow(apiKeys.id, key))
    // Audited in the key's organization, which can differ from the session's.
    const actor = { ...ctx.actor, organizationId: key.organizationId }
    await audit(
      tx,
      { actor, address: ctx.address },
      {
        action: 'api_key.revoke',
        entityType: 'api_key',
        entityId: key.id,
        entityName: key.name,
        details: { prefix: key.prefix },
      },
    )
    return { ok: true as const }
  }),
)

export const accountKeysRouter = router({ create, list, revoke })

type Row = Pick<
  typeof apiKeys.$inferSelect,
  'id' | 'name' | 'prefix' | 'access' | 'expiresAt' | 'revokedAt' | 'lastOkAt' | 'createdAt'
>

function present(row: Row, organization: AccountKey['organization'], user: AccountKey['user']): AccountKey {
  return {
    ...presentKey(row, organization, user),
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastOkAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
