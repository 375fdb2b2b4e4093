import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { and, desc, eq } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projectTokens } from '#db/schema/credentials.ts'
import { projects } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { mintKey } from '../../identity/auth/api-keys.ts'
import { findMaker, refusalOf } from '../../identity/auth/project-tokens.ts'
import { requireProject } from '../../resources.ts'
import { Id, Ok, ProjectId } from '../../schemas/conventions.ts'
import {
  CreatedProjectToken,
  PROJECT_TOKENS_MAX,
  type ProjectToken,
  ProjectTokenInput,
  ProjectTokens,
  type TokenRefusal,
} from '../../schemas/projects.ts'
import { router, sessionProcedure } from '../../trpc.ts'

// The tokens with which a monitoring system reads the metrics of a project. Like API keys, people create and revoke them
// in the dashboard, and a token never reads more than its maker.

/** Lists the tokens of a project, newest first. */
const list = sessionProcedure
  .input(z.object({ id: ProjectId }))
  .output(ProjectTokens)
  .query(async ({ ctx, input }) => {
    await requireProject(ctx, input.id, 'write')
    const rows = await ctx.db
      .select()
      .from(projectTokens)
      .where(ofProject(ctx, input.id))
      .orderBy(desc(projectTokens.createdAt), desc(projectTokens.id))
      .limit(PROJECT_TOKENS_MAX)
    return { items: await Promise.all(rows.map((row) => presentStored(ctx, row))) }
  })

/** Creates a token. Only this response contains it. */
const create = sessionProcedure
  .meta({ api: { errors: ['already_exists', 'token_limit_reached'] } })
  .input(ProjectTokenInput)
  .output(CreatedProjectToken)
  .mutation(async ({ ctx, input }) => {
    const project = await requireProject(ctx, input.id, 'write')
    return ctx.db.transaction(async (tx) => {
      // Locked, so that parallel creations cannot exceed the limit.
      const [locked] = await tx.select().from(projects).where(matchesRow(projects.id, project)).for('no key update')
      if (!locked) throw notFound()
      const max = PROJECT_TOKENS_MAX
      if ((await tx.$count(projectTokens, ofProject(ctx, project.id))) >= max) {
        throw new ApiError('token_limit_reached', { max })
      }
      const { token, prefix, digest } = mintKey('slm_')
      const { organizationId } = ctx.actor
      const scope = { organizationId, projectId: project.id }
      const { membershipId, email } = ctx.actor
      const row = { id: uuidv7(), ...scope, membershipId, name: input.name, prefix, digest, createdAt: ctx.now() }
      await tx.insert(projectTokens).values(row)
      await audit(tx, ctx, auditEntry('create', row, project.name))
      return { token, info: present(row, email, null) }
    })
  })

/** Revokes a token at once and for good. */
const revoke = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(z.object({ id: ProjectId, tokenId: Id }))
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const project = await requireProject(ctx, input.id, 'write')
    return ctx.db.transaction(async (tx) => {
      const where = and(ofProject(ctx, project.id), eq(projectTokens.id, input.tokenId))
      const [row] = await tx.delete(projectTokens).where(where).returning()
      if (!row) throw notFound('tokenId')
      await audit(tx, ctx, auditEntry('revoke', row, project.name))
      return { ok: true as const }
    })
  })

export const metricsTokensRouter = router({ list, create, revoke })

type Row = typeof projectTokens.$inferSelect

function ofProject({ actor }: ActorContext, projectId: string) {
  return and(eq(projectTokens.organizationId, actor.organizationId), eq(projectTokens.projectId, projectId))
}

function auditEntry(verb: 'create' | 'revoke', { id, name, prefix }: Row, resourceName: string) {
  return {
    action: `metrics_token.${verb}`,
    entityType: 'metrics_token',
    entityId: id,
    entityName: name,
    details: { prefix, resourceName },
  }
}

async function presentStored({ db }: ActorContext, row: Row): Promise<ProjectToken> {
  const maker = await findMaker(db, row)
  return present(row, maker?.email ?? null, await refusalOf(db, row, maker))
}

function present(
  { id, name, prefix, createdAt }: Row,
  createdBy: string | null,
  refusal: TokenRefusal | null,
): ProjectToken {
  return { id, name, prefix, createdAt: createdAt.toISOString(), createdBy, refusal }
}
