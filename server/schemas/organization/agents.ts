import { z } from 'zod'
import { Id, Instant, Name } from '../conventions.ts'

/** The name of an agent, which requests and results use, and in-house workers get as `AGENT_SLUG`. */
export const AgentSlug = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
  )

const Kind = z.enum(['in-house', 'remote'])

/** A live process of an agent. */
export const AgentProcess = z.object({
  id: z.guid(),
  kind: Kind,
  /** Null for processes of shared agents: they belong to the operator of the installation. */
  host: z.string().nullable(),
  /** The address that a remote process connects from. */
  address: z.string().nullable(),
  version: z.string().nullable(),
  slots: z.int().nullable(),
  busy: z.int().nullable(),
  /** The share of its machine's processor time that it uses, 0 to 1. */
  cpu: z.number().nullable(),
  latenessMs: z.number().nullable(),
  clockOffsetMs: z.number().nullable(),
  startedAt: Instant,
  lastSeenAt: Instant,
  /** What the process took last: `probe` for a run, or the name of a job such as `mail`; null before the first. */
  lastTask: z.string().nullable(),
  lastTakenAt: Instant.nullable(),
  /** The private networks that it lets probes reach; null for an in-house one, which has those of the installation. */
  allowedNetworks: z.array(z.string()).nullable(),
  /** The process is alive but takes nothing, although runs of its agent are queued. */
  isStalled: z.boolean(),
})
export type AgentProcess = z.output<typeof AgentProcess>

export const AgentState = z.object({
  id: z.guid(),
  slug: z.string(),
  label: z.string(),
  kind: Kind,
  /** For this organization: a shared agent can be switched off by each organization for itself. */
  isActive: z.boolean(),
  /** Shared agents belong to the installation: every organization may use them, but not change them. */
  isShared: z.boolean(),
  /** Services that name no agent run on it: only shared agents can be open. */
  isOpen: z.boolean(),
  /** Services of the organization need the agent, and it has sent no heartbeat for three minutes. */
  isLost: z.boolean(),
  processes: z.array(AgentProcess),
  versions: z.array(z.string()),
  capacity: z.object({ slots: z.int(), busy: z.int() }).nullable(),
  load: z.number().nullable(),
  latenessMs: z.number().nullable(),
  clockOffsetMs: z.number().nullable(),
  lastSeenAt: Instant.nullable(),
  /** The private networks that its newest process let probes reach; null for an in-house agent. */
  allowedNetworks: z.array(z.string()).nullable(),
  createdAt: Instant,
  /** Keys in use whose maker may not enrol agents any more: another member should revoke them. */
  keysToRevoke: z.int(),
})
export type AgentState = z.output<typeof AgentState>

/** The services of a selection. */
const SERVICES_MAX = 200

/** Services that shall name an agent: those that a project has now, and those of a list. By default none. */
const ServicesToName = z.object({
  projectId: Id.optional(),
  serviceIds: z
    .array(Id)
    .max(SERVICES_MAX)
    .transform((ids) => [...new Set(ids)])
    .optional(),
})
export type ServicesToName = z.output<typeof ServicesToName>

export const AgentCreate = ServicesToName.extend({ slug: AgentSlug, label: Name })
export type AgentCreate = z.output<typeof AgentCreate>

export const AgentServicesToName = ServicesToName.extend({ slug: AgentSlug })

/** What became of the services that should name an agent. */
export const NamedAgent = z.object({
  /** Services that name it now, and did not before. */
  added: z.int(),
  /** The first ones that do not name it, because their scripts may not run there. `reason` is an error code. */
  leftOut: z.array(z.object({ id: z.guid(), name: z.string(), reason: z.string() })),
  leftOutTotal: z.int(),
})
export type NamedAgent = z.output<typeof NamedAgent>

export const AgentCreated = AgentState.extend({ services: NamedAgent })

export const AgentUpdate = z.object({
  slug: AgentSlug,
  label: Name.optional(),
  /** Results keep the slug that they were stored with. */
  newSlug: AgentSlug.optional(),
})

export const AgentActivation = z.object({ slug: AgentSlug, isActive: z.boolean() })

export const AgentRemoval = z.object({
  slug: AgentSlug,
  /** The agent that services run on which name only the removed one; null: they run on any shared agent. */
  replaceWith: AgentSlug.nullable().optional(),
})
export type AgentRemoval = z.output<typeof AgentRemoval>

/** The services of the preview that are listed. */
export const AGENT_SERVICES_MAX = 50

/** Which services name an agent: what its removal or its switching off concerns. */
export const AgentServices = z.object({
  total: z.int(),
  /** Of these, services that name no other agent. */
  onlyThis: z.int(),
  /** The first ones that the caller can see, by name. */
  items: z.array(
    z.object({ id: z.guid(), name: z.string(), projectName: z.string(), isActive: z.boolean(), isOnly: z.boolean() }),
  ),
})
export type AgentServices = z.output<typeof AgentServices>

export const AgentRemoved = z.object({
  /** Services that were switched off, because their scripts may not run where they would run now. */
  switchedOff: z.array(z.object({ id: z.guid(), name: z.string(), reason: z.string() })),
  switchedOffTotal: z.int(),
})
