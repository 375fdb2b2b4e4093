import { z } from 'zod'
import { Id, Instant } from './conventions.ts'

export const AGENT_SLUG_EXAMPLE = 'frankfurt'

export const Agent = z
  .object({
    slug: z
      .string()
      .meta({ description: 'The short name that requests and results use.', example: AGENT_SLUG_EXAMPLE }),
    label: z.string().meta({ description: 'The name for people.', example: 'Frankfurt, Germany' }),
  })
  .meta({ id: 'Agent', description: 'A location that probes run from.' })
export type Agent = z.output<typeof Agent>

const Slugs = z
  .array(z.string())
  .meta({ description: 'Slugs of agents; an empty array means any agent.', example: [AGENT_SLUG_EXAMPLE] })

export const AgentSlugs = Slugs.meta({ id: 'AgentSlugs' })

export const AgentsInput = z.object({ slugs: Slugs })
/** The services whose lost agents are asked for: those of one resource, or all that the member can see. */
export const LostAgentsQuery = z
  .object({ workspaceId: Id, projectId: Id, serviceId: Id })
  .partial()
  .refine((given) => Object.keys(given).length <= 1, 'must name at most one resource')
export type LostAgentsQuery = z.output<typeof LostAgentsQuery>

/** An agent that has sent no heartbeat for three minutes, although services need it. */
export const LostAgent = z.object({ slug: z.string(), label: z.string(), lastSeenAt: Instant })
export type LostAgent = z.output<typeof LostAgent>
