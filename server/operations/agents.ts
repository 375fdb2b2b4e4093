import { z } from 'zod'
import { Agent } from '../schemas/agents.ts'
import { memberProcedure, router } from '../trpc.ts'
import { activeAgents } from './services/agents.ts'

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/agents',
      operationId: 'listAgents',
      summary: 'List the agents that services may run on',
      tags: ['Agents'],
    },
  })
  .output(z.array(Agent))
  .query(async ({ ctx }) => {
    const found = await activeAgents(ctx.db, ctx.actor.organizationId)
    return found.map(({ slug, label }) => ({ slug, label }))
  })

export const agentsRouter = router({ list })
