import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf } from '../conventions.ts'
import { ServiceMaintenance } from '../maintenances/maintenances.ts'
import { Percentiles } from '../metrics.ts'
import { RunStatus } from '../runs.ts'
import { BOARD_ORDERS, BOARD_SORTS } from './board-sorts.ts'
import { SEARCH_MAX } from './search-terms.ts'
import { ServiceState, StateCounts } from './state-schemas.ts'

// The shapes of the status board. Only the dashboard has these operations.

/** The most services on one page of the board: their details are read together. */
const BOARD_PAGE_MAX = 100
/** The latest runs that the board shows of a service. */
export const BOARD_RUNS = 30
/** Hours of the small charts. */
export const TREND_HOURS = 24
/** Entries of each short list beside the board. */
export const CHANGES_SHOWN = 8

export const BoardQuery = z.object({
  /** See `search-terms.ts`. The filters below apply in addition. */
  q: z.string().normalize('NFC').max(SEARCH_MAX).default(''),
  state: ServiceState.optional(),
  workspaceId: Id.optional(),
  projectId: Id.optional(),
  label: z.string().max(64).optional(),
  agent: z.string().max(64).optional(),
  /** A part of a host that the script calls. */
  host: z.string().max(253).optional(),
  sort: z.enum(BOARD_SORTS).default('state'),
  order: z.enum(BOARD_ORDERS).default('asc'),
  page: z.int().min(1).max(1_000).default(1),
  pageSize: z.int().min(1).max(BOARD_PAGE_MAX).default(BOARD_PAGE_MAX),
})
export type BoardQuery = z.output<typeof BoardQuery>

/** What the first call of a script requests. */
export const ServiceTarget = z.object({
  method: z.string(),
  /** As written in the script: variables have no values. */
  url: z.string(),
  /** Null when it is known only in a run. */
  host: z.string().nullable(),
  path: z.string(),
  /** The calls of the script. */
  steps: z.int(),
})
export type ServiceTarget = z.output<typeof ServiceTarget>

/** Services that fail with the same reason at the same host, since the same five minutes. */
export const FailureGroup = z.object({
  key: z.string(),
  host: z.string(),
  reason: z.string(),
  /** When the first of them failed. */
  since: Instant,
  /** The services of the group on all pages, two at least. */
  count: z.int(),
})
export type FailureGroup = z.output<typeof FailureGroup>

export const BoardService = z.object({
  id: Id,
  name: z.string(),
  label: z.string().nullable(),
  labels: z.array(z.string()),
  projectId: Id,
  projectName: z.string(),
  workspaceId: Id,
  workspaceName: z.string(),
  /** Whether the member may change it. */
  mayWrite: z.boolean(),
  isActive: z.boolean(),
  schedule: z.string(),
  /** Of the schedule; null for UTC. */
  timezone: z.string().nullable(),
  version: z.int(),
  /** Null without a script. */
  target: ServiceTarget.nullable(),
  /** The slugs of the agents that it names; empty for any open shared agent. */
  agents: z.array(z.string()),
  state: ServiceState,
  /** Since when it is in the state; null when it is paused. */
  since: Instant.nullable(),
  /** The problem in one line; null unless it is failing or degraded. */
  cause: z.string().nullable(),
  /** Whether the failure is confirmed: the failures in a row have reached `confirmFailures`. */
  isConfirmed: z.boolean(),
  lastRunAt: Instant.nullable(),
  /** What holds for it now, or its own window that is open; null without one. */
  maintenance: ServiceMaintenance.nullable(),
  /** The open incident. */
  incident: z.object({ id: Id, acknowledgedAt: Instant.nullable(), acknowledgedBy: z.string().nullable() }).nullable(),
  /** The failures of the same cause, this one included; null without others. Only the list of services has it. */
  group: FailureGroup.nullable(),
  /** How the latest runs of the last seven days ended, oldest first. */
  runs: z.array(RunStatus),
  /** Share of the runs that passed, in percent; null without runs. Seven days are UTC days, today included. */
  uptime24h: z.number().nullable(),
  uptime7d: z.number().nullable(),
  p95Ms: z.number().nullable(),
  /** The p95 of the response time in each of the last 24 hours in milliseconds, oldest first; null for an hour without runs. */
  trend: z.array(z.number().nullable()),
})
export type BoardService = z.output<typeof BoardService>

/** A project on the page with the states of all its services that match. */
export const BoardProject = z.object({ id: Id, counts: StateCounts })
export type BoardProject = z.output<typeof BoardProject>

export const Board = z.object({
  /** When it was read. */
  at: Instant,
  /** By state, of the services that match the other filters. */
  counts: StateCounts,
  /** The services that match, on all pages. */
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  problems: z.array(z.string()),
  /** In the order that was asked for, by default the worst first; then by workspace, project and name. */
  services: z.array(BoardService),
  projects: z.array(BoardProject),
})
export type Board = z.output<typeof Board>

/** What the filters of the board offer: at most 500 of each. */
export const BoardFilters = z.object({
  workspaces: z.array(z.object({ id: Id, name: z.string() })),
  projects: z.array(z.object({ id: Id, name: z.string(), workspaceId: Id })),
  labels: z.array(z.string()),
  agents: z.array(z.string()),
})
export type BoardFilters = z.output<typeof BoardFilters>

export const ScriptChange = z.object({
  serviceId: Id,
  serviceName: z.string(),
  version: z.int(),
  at: Instant,
  /** Null when it is not known any more. */
  by: z.string().nullable(),
})

export const ExpiringCertificate = z.object({
  serviceId: Id,
  serviceName: z.string(),
  host: z.string(),
  notAfter: Instant,
  daysLeft: z.int(),
})

export const Activity = z.object({
  scripts: z.array(ScriptChange),
  certificates: z.array(ExpiringCertificate),
})
export type Activity = z.output<typeof Activity>

export const WorkspaceStatusPage = pageOf(
  z.object({ id: Id, name: z.string(), createdAt: Instant, projectCount: z.int(), counts: StateCounts }),
  'WorkspaceStatusPage',
)

export const ProjectStatusPage = pageOf(
  z.object({
    id: Id,
    name: z.string(),
    counts: StateCounts,
    /** Runs since the services exist. */
    runs: z.int(),
    passed: z.int(),
    percentiles: Percentiles,
  }),
  'ProjectStatusPage',
)

export const ProjectStatusQuery = PageQuery.extend({ workspaceId: Id })

/** One workspace or one project. */
export const SummaryQuery = z
  .object({ workspaceId: Id, projectId: Id })
  .partial()
  .refine((given) => Object.keys(given).length === 1, 'must name one resource')
export type SummaryQuery = z.output<typeof SummaryQuery>
