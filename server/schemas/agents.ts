import { z } from 'zod'
import { AgentId, Id, Instant, openEnum } from './conventions.ts'

export const AGENT_SLUG_EXAMPLE = 'frankfurt'

const Lateness = z.number().min(0).nullable()

const Slug = z.string().meta({ description: 'The slug of the agent.', example: AGENT_SLUG_EXAMPLE })

export const Agent = z
  .object({
    id: AgentId,
    slug: Slug.meta({ description: 'The short name that requests and results use.' }),
    label: z.string().meta({ description: 'The name for people.', example: 'Frankfurt, Germany' }),
    kind: openEnum(['in-house', 'remote']).meta({
      description:
        'Who runs its processes: the operator of the installation, or the person who enrolled it with a token.',
      example: 'remote',
    }),
    isShared: z
      .boolean()
      .meta({ description: 'Whether all organizations of the installation may use it.', example: false }),
    isOpen: z.boolean().meta({
      description:
        'Whether services that name no agent run on it. Only shared agents can be open; the operator decides it.',
      example: false,
    }),
  })
  .meta({ id: 'Agent', description: 'A location that probes run from.' })
export type Agent = z.output<typeof Agent>

export const FailsAlone = z.object({
  failed: z.int().meta({ description: 'Services that failed on this agent alone.', example: 7 }),
  compared: z
    .int()
    .meta({ description: 'Services that passed on every other agent, and ran on this one too.', example: 12 }),
})
export type FailsAlone = z.output<typeof FailsAlone>

export const AgentHealth = z
  .object({
    id: AgentId,
    slug: Slug,
    isActive: z.boolean().meta({
      description: 'Whether it is switched on for the organization. Services cannot name one that is not.',
      example: true,
    }),
    isAlive: z.boolean().meta({ description: 'Whether one of its processes is running and connected.', example: true }),
    processes: z.int().min(0).meta({ description: 'How many of its processes are running.', example: 2 }),
    versions: z
      .array(z.string())
      .meta({ description: 'The releases that its processes run, the oldest process first.', example: ['0.4.50'] }),
    version: z
      .string()
      .nullable()
      .meta({ description: 'The release of its newest process; null without one.', example: '0.4.50' }),
    address: z.string().nullable().meta({
      description:
        'The address that its newest process connects from. Null for shared agents and for workers of the installation.',
      example: '203.0.113.7',
    }),
    capacity: z
      .object({
        slots: z.int().min(0).meta({ description: 'The most runs at the same time.', example: 500 }),
        busy: z.int().min(0).meta({ description: 'Runs at the last heartbeat.', example: 12 }),
      })
      .nullable()
      .meta({
        description: 'The capacity and load of its processes together; null while no process reports them.',
        example: { slots: 500, busy: 12 },
      }),
    load: z.number().min(0).max(1).nullable().meta({
      description: "Share of its machine's processor time that its busiest process uses, 0 to 1.",
      example: 0.07,
    }),
    latenessMs: Lateness.meta({
      description: 'Event loop lag of its slowest process, in milliseconds; grows when a machine is overloaded.',
      example: 3,
    }),
    clockOffsetMs: z.number().nullable().meta({
      description:
        'How many milliseconds the clock of a remote agent is ahead. Times of results are corrected. Null for workers of the installation.',
      example: -42,
    }),
    lastSeenAt: Instant.nullable().meta({
      description: 'When it was last connected; null if it never was.',
      example: '2026-11-20T12:29:58.000Z',
    }),
    allowedNetworks: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'The private networks that its newest remote process lets probes reach, as its operator set them; empty when only public addresses are allowed. Null for workers of the installation.',
        example: ['10.20.0.0/16'],
      }),
    failsAlone: FailsAlone.nullable().meta({
      description:
        'Set when at least five services that you can see ran within the last hour on this agent and passed on every other agent, and at least half of them failed here. Then the agent or its network is the likely cause. Otherwise null.',
      example: { failed: 7, compared: 12 },
    }),
  })
  .meta({ id: 'AgentHealth', description: 'The state and the load of an agent now.' })
export type AgentHealth = z.output<typeof AgentHealth>

export const AgentHour = z
  .object({
    hour: Instant.meta({ description: 'Start of the UTC hour.', example: '2026-11-20T12:00:00.000Z' }),
    aliveSeconds: z
      .int()
      .min(0)
      .max(3_600)
      .meta({ description: 'For how many seconds one of its processes was running.', example: 3_600 }),
    slots: z.int().nullable().meta({ description: 'The most runs that it could execute at once.', example: 500 }),
    busyMax: z.int().nullable().meta({
      description:
        'The most runs that it executed at once. Null for shared agents, except for the organization of the operator.',
      example: 31,
    }),
    loadMax: z.number().nullable().meta({
      description: "The highest share of its machine's processor time that a process used, 0 to 1.",
      example: 0.22,
    }),
    latenessMaxMs: Lateness.meta({ description: 'The longest event loop lag, in milliseconds.', example: 18 }),
    runs: z.int().min(0).nullable().meta({
      description: 'Runs that it finished. Null for shared agents, except for the organization of the operator.',
      example: 1_260,
    }),
  })
  .meta({ id: 'AgentHour', description: 'One hour of an agent, from samples every minute.' })

export const AgentHistory = z
  .object({
    slug: Slug,
    since: Instant.meta({ description: 'Start of the window of 30 days.', example: '2026-10-21T12:00:00.000Z' }),
    until: Instant.meta({ description: 'End of the window.', example: '2026-11-20T12:30:00.000Z' }),
    availability: z.number().min(0).max(100).nullable().meta({
      description:
        'Percentage of the time since its first recorded hour in which a process was running; null without any.',
      example: 99.98,
    }),
    hours: z
      .array(AgentHour)
      .meta({ description: 'The hours in which a process was running or a run finished, oldest first.' }),
  })
  .meta({ id: 'AgentHistory', description: 'The last 30 days of an agent, by the hour.' })
export type AgentHistory = z.output<typeof AgentHistory>

const Slugs = z.array(z.string()).meta({
  description: 'Slugs of agents; an empty array means any shared agent that is open.',
  example: [AGENT_SLUG_EXAMPLE],
})

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

/** An agent on which services fail that pass on all others. */
export const LoneAgent = FailsAlone.extend({ slug: z.string(), label: z.string() })
export type LoneAgent = z.output<typeof LoneAgent>
