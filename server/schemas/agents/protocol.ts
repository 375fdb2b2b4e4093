import { z } from 'zod'
import { Id, Instant } from '../conventions.ts'
import { AnyJson, CERTIFIED_HOSTS_MAX, HopCertificate, ProbeFrame, ProbeUpload } from './probe-upload.ts'

// The messages between remote agents and the server, under `/api/agent/v1`. All are JSON except bodies.

/** The version of the protocol. Version 1 called `hasValues` otherwise. */
export const PROTOCOL = 2
/** The oldest version that the server accepts. Agents of an older one get `agent_too_old`. */
export const MINIMUM_PROTOCOL = 2

export const AGENT_PATH = '/api/agent/v1'
/** The header with the agent's version and protocol, such as `0.4.50/2`. It is part of each signature. */
export const AGENT_HEADER = 'soundline-agent'
/** What each signature covers, in this order. */
export const SIGNED_COMPONENTS = ['@method', '@path', '@query', 'content-digest', AGENT_HEADER] as const
/** By how many seconds a signature's `created` may differ from the server's time. */
export const CLOCK_SKEW_MAX_SECONDS = 300

export const TOKEN_PREFIX = 'sla_'
export const TOKEN_PATTERN = /^sla_[A-Za-z0-9_-]{43}$/

export const POLL_WAIT_MAX_SECONDS = 25
/** The most runs that one poll returns. */
export const POLL_RUNS_MAX = 32
/** The most runs that an agent executes at the same time. */
export const SLOTS_MAX = 1_000
/** Bytes of a result. */
export const UPLOAD_MAX_BYTES = 2 * 1024 * 1024
/** Bytes of a response body. */
export const BODY_MAX_BYTES = 10 * 1024 * 1024
export const NETWORKS_MAX = 64
const RECEIPT_MAX = 8_192
/** Of a host name, also with a mask in place of a secret. */
const HOST_MAX = 1_000

/** The name that an agent gives its process: new at each start. */
const Instance = z.guid()
const PublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
const Name = z.string().trim().min(1).max(128)
const Version = z.string().regex(/^[0-9A-Za-z.+-]{1,32}$/)
const Protocol = z.int().min(1).max(1_000)
const Attempt = z.int().min(1).max(1_000_000)
const AllowedNetworks = z.array(z.union([z.cidrv4(), z.cidrv6()])).max(NETWORKS_MAX)

/** A run that an agent holds, with the attempt that it executes. */
export const HeldRun = z.object({ id: Id, attempt: Attempt })
export type HeldRun = z.output<typeof HeldRun>

/** The limits that agents must keep. */
export const AgentSettings = z.object({
  heartbeatSeconds: z.number(),
  leaseSeconds: z.number(),
  runTimeoutMs: z.number(),
  minimumProtocol: z.int(),
})
export type AgentSettings = z.output<typeof AgentSettings>

export const EnrolRequest = z.object({
  token: z.string().regex(TOKEN_PATTERN, 'is not an enrolment token'),
  publicKey: PublicKey,
  /** The host name. */
  name: Name,
  version: Version,
  protocol: Protocol,
})
export type EnrolRequest = z.output<typeof EnrolRequest>

export const EnrolAnswer = z.object({
  keyId: Id,
  agent: z.object({ slug: z.string(), label: z.string() }),
  /** Null for an agent that all organizations share. */
  organization: z.object({ name: z.string() }).nullable(),
  settings: AgentSettings,
})
export type EnrolAnswer = z.output<typeof EnrolAnswer>

export const PollRequest = z.object({
  instance: Instance,
  /** How many more runs the agent can start. */
  free: z.int().min(0).max(SLOTS_MAX),
  waitSeconds: z.number().min(0).max(POLL_WAIT_MAX_SECONDS),
})
export type PollRequest = z.output<typeof PollRequest>

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const Assignment = z.object({
  id: Id,
  attempt: Attempt,
  /** `hasValues`: the run was requested with values. */
  run: z.object({ id: Id, cause: z.enum(['schedule', 'request', 'confirmation']), hasValues: z.boolean() }),
  organizationId: Id,
  serviceId: Id,
  /** The end of the lease: the agent starts no run after it. */
  startBy: Instant,
  script: z.object({ source: z.string(), version: z.int() }),
  /** Only what the script refers to. */
  variables: z.object({
    values: z.object({ o: Values, w: Values, p: Values, s: Values }),
    /** The distinct values of secrets, to be redacted. */
    secrets: z.array(z.string()),
    /** `name` as in scripts without the `$`: `p.token`. */
    restrictedSecrets: z.array(z.object({ name: z.string(), value: z.string(), allowedHosts: z.array(z.string()) })),
  }),
  /** The previous result on this agent; null when the script does not refer to it. */
  prev: z.record(z.string(), AnyJson).nullable(),
  saveBodies: z.boolean(),
  /** Whether requests carry `traceparent`. */
  traceparent: z.boolean(),
  leaseSeconds: z.number(),
  /** The server's time when it answered. */
  clock: z.object({ now: Instant }),
})
export type Assignment = z.output<typeof Assignment>

export const PollAnswer = z.object({ runs: z.array(Assignment).max(POLL_RUNS_MAX) })
export type PollAnswer = z.output<typeof PollAnswer>

export const HeartbeatRequest = z.object({
  instance: Instance,
  /** In the first heartbeat: the process that used the agent's folder before. It is dead, so its runs are queued again. */
  former: Instance.optional(),
  slots: z.int().min(1).max(SLOTS_MAX),
  busy: z.int().min(0).max(SLOTS_MAX),
  /** Share of the processor time that the agent uses, 0 to 1. */
  cpu: z.number().min(0).max(1),
  /** By how much timers of the agent fire late. */
  latenessMs: z.number().min(0).max(3_600_000),
  /** The agent's corrected time. */
  sentAt: Instant,
  /** The private networks that the agent's operator lets probes reach. */
  allowedNetworks: AllowedNetworks,
  held: z.array(HeldRun).max(SLOTS_MAX),
})
export type HeartbeatRequest = z.output<typeof HeartbeatRequest>

export const HeartbeatAnswer = z.object({
  /** The runs that the agent still holds. It stops the others. */
  held: z.array(HeldRun),
  now: Instant,
  settings: AgentSettings,
})
export type HeartbeatAnswer = z.output<typeof HeartbeatAnswer>

/** The query of `POST /bodies`; the body is the response body as the target sent it, decoded. */
export const BodyQuery = z.object({
  run: Id,
  attempt: z.coerce.number().pipe(Attempt),
  call: z.coerce.number().pipe(z.int().min(0).max(999)),
  /** When the run started: bodies are stored under this day. */
  startedAt: Instant,
})
export type BodyQuery = z.output<typeof BodyQuery>

const NotStored = z.enum(['store_unavailable', 'too_large', 'not_requested'])
export type NotStored = z.output<typeof NotStored>

export const BodyAnswer = z.union([z.object({ receipt: z.string().max(RECEIPT_MAX) }), z.object({ reason: NotStored })])
export type BodyAnswer = z.output<typeof BodyAnswer>

const CallIndex = z.int().min(0).max(999)
const Phase = z.enum(['dns', 'connect', 'tls', 'ttfb', 'transfer'])

const UploadFields = z.object({
  id: Id,
  attempt: Attempt,
  /** When the run started, by the agent's corrected clock. */
  startedAt: Instant,
  /** The language's result; null for a run that ended without one. */
  probe: ProbeUpload.nullable(),
  broken: z.object({ status: z.enum(['failure', 'timeout']), reason: z.string().min(1).max(2_000) }).nullable(),
  timeoutPhases: z.array(z.tuple([CallIndex, Phase.nullable()])).max(1_000),
  /** Of all hops; none for a run that ended without a result. */
  certificates: z.array(HopCertificate).max(CERTIFIED_HOSTS_MAX).default([]),
  bodies: z
    .array(
      z.union([
        z.object({ call: CallIndex, receipt: z.string().min(1).max(RECEIPT_MAX) }),
        z.object({ call: CallIndex, reason: NotStored }),
      ]),
    )
    .max(1_000),
  /**
   * The agent's own networks did not let the first request out, so nothing was sent: its host, and the networks. The run
   * is recorded as skipped.
   */
  refused: z.object({ host: z.string().min(1).max(HOST_MAX), allowedNetworks: AllowedNetworks }).optional(),
  /** How long the run waited for connections. */
  waitedMs: z.number().min(0).max(3_600_000),
})
const hasOneResult = ({ probe, broken }: { probe: object | null; broken: object | null }) =>
  (probe === null) !== (broken === null)
const ONE_RESULT = 'must have either `probe` or `broken`'

export const Upload = UploadFields.refine(hasOneResult, ONE_RESULT)
/** The same with calls that are not checked yet: the server checks them one by one. */
export const UploadFrame = UploadFields.extend({ probe: ProbeFrame.nullable() }).refine(hasOneResult, ONE_RESULT)
export type Upload = z.output<typeof Upload>

export const UploadAnswer = z.object({ stored: z.literal(true) })
export type UploadAnswer = z.output<typeof UploadAnswer>

export const ReleaseRequest = z.object({ instance: Instance, held: z.array(HeldRun).max(SLOTS_MAX) })
export type ReleaseRequest = z.output<typeof ReleaseRequest>
