import { z } from 'zod'
import { and, asc, eq } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { reachesService } from '../../access.ts'
import { notFound } from '../../errors.ts'
import { belongsToScope } from '../../row-scope.ts'
import { Id } from '../../schemas/conventions.ts'
import { Scope } from '../../schemas/scopes.ts'
import { VARIABLE_USERS_MAX, VariableUsage } from '../../schemas/variables.ts'
import { namesVariable } from '../../services/variable-users.ts'
import { sessionProcedure } from '../../trpc.ts'
import { requireScope } from './reveal.ts'

/** Lists the services whose scripts name a variable and that the caller can see. */
export const usage = sessionProcedure
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ scope: Scope, resourceId: Id, id: Id }))
  .output(VariableUsage)
  .query(async ({ ctx, input }) => {
    const { ref } = await requireScope(ctx, input, 'read')
    const [variable] = await ctx.db
      .select({ key: variables.key })
      .from(variables)
      .where(and(eq(variables.id, input.id), belongsToScope(variables, ref)))
    if (!variable) throw notFound()
    const found = await ctx.db
      .select({
        id: services.id,
        name: services.name,
        isActive: services.isActive,
        projectName: projects.name,
        workspaceName: workspaces.name,
      })
      .from(services)
      .innerJoin(projects, matchesRow(services.projectId, projects))
      .innerJoin(workspaces, matchesRow(projects.workspaceId, workspaces))
      .where(and(namesVariable(ref, variable.key), reachesService(ctx.actor, 'read')))
      .orderBy(asc(services.name), asc(services.id))
      .limit(VARIABLE_USERS_MAX + 1)
    return { services: found.slice(0, VARIABLE_USERS_MAX), isTruncated: found.length > VARIABLE_USERS_MAX }
  })
