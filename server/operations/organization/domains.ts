import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { and, asc, eq } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { domains } from '#db/schema/organizations.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Id, Ok } from '../../schemas/conventions.ts'
import { Domain, DomainCheck, DomainName } from '../../schemas/organization/domains.ts'
import { lapsesAt } from '../../scripts/domain-checks.ts'
import { missingProof, proofRecord, resolveTxt } from '../../scripts/domain-proof.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'

const DomainId = z.object({ id: Id })

const list = orgSessionProcedure('domains', 'read')
  .output(z.array(Domain))
  .query(async ({ ctx }) => {
    const own = eq(domains.organizationId, ctx.actor.organizationId)
    return (await ctx.db.select().from(domains).where(own).orderBy(asc(domains.domain))).map(present)
  })

const add = orgSessionProcedure('domains', 'write')
  .input(z.object({ domain: DomainName }))
  .output(Domain)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = {
        id: uuidv7(),
        organizationId: ctx.actor.organizationId,
        domain: input.domain,
        token: randomBytes(16).toString('hex'),
        verifiedAt: null,
        lastCheckedAt: null,
        lastSeenAt: null,
        createdAt: ctx.now(),
      }
      await tx.insert(domains).values(row)
      await audit(tx, ctx, { action: 'domain.add', entityType: 'domain', entityId: row.id, entityName: row.domain })
      return present(row)
    }),
  )

const verify = orgSessionProcedure('domains', 'write')
  .input(DomainId)
  .output(DomainCheck)
  .mutation(async ({ ctx, input }) => {
    const row = await requireDomain(ctx.db, ctx, input.id)
    // Before the transaction, because name servers can be slow.
    const reason = await missingProof(row.domain, row.token, ctx.resolveTxt ?? resolveTxt)
    return ctx.db.transaction(async (tx) => {
      const now = ctx.now()
      const seen = { lastSeenAt: now, verifiedAt: row.verifiedAt ?? now }
      const [changed] = await tx
        .update(domains)
        .set({ lastCheckedAt: now, ...(reason === null && seen) })
        .where(matchesRow(domains.id, row))
        .returning()
      if (!changed) throw notFound()
      await audit(tx, ctx, {
        action: 'domain.verify',
        entityType: 'domain',
        entityId: row.id,
        entityName: row.domain,
        details: { verified: reason === null },
      })
      return { ...present(changed), verified: reason === null, reason }
    })
  })

const remove = orgSessionProcedure('domains', 'write')
  .input(DomainId)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await requireDomain(tx, ctx, input.id)
      await tx.delete(domains).where(matchesRow(domains.id, row))
      await audit(tx, ctx, { action: 'domain.remove', entityType: 'domain', entityId: row.id, entityName: row.domain })
      return { ok: true as const }
    }),
  )

export const organizationDomainsRouter = router({ list, add, verify, remove })

async function requireDomain(db: Queryable, ctx: ActorContext, id: string) {
  const [row] = await db
    .select()
    .from(domains)
    .where(and(eq(domains.organizationId, ctx.actor.organizationId), eq(domains.id, id)))
  if (!row) throw notFound()
  return row
}

function present(row: typeof domains.$inferSelect): Domain {
  return {
    id: row.id,
    domain: row.domain,
    record: proofRecord(row.domain, row.token),
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    lapsesAt: lapsesAt(row)?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
