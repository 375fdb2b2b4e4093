import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf } from '../conventions.ts'
import { ServiceMaintenance } from '../maintenances/maintenances.ts'
import { Percentiles } from '../metrics.ts'
import { RunStatus } from '../runs.ts'
import { SEARCH_MAX } from './search-terms.ts'
import { ServiceState, StateCounts } from './state-schemas.ts'

// The shapes of the status board. Only the dashboard has these operations.

/** The most services on one page of the board: their details are read together. */
const BOARD_PAGE_MAX = 100
/** The latest runs that the board shows of a service that is failing or degraded. */
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
  page: z.int().min(1).max(1_000).default(1),
  pageSize: z.int().min(1).max(BOARD_PAGE_MAX).default(BOARD_PAGE_MAX),
})
export type BoardQuery = z.output<typeof BoardQuery>

export const BoardService = z.object({
  id: Id,
  name: z.string(),
  label: z.string().nullable(),
  projectId: Id,
  projectName: z.string(),
  workspaceId: Id,
  workspaceName: z.string(),
  isActive: z.boolean(),
  schedule: z.string(),
  /** Of the schedule; null for UTC. */
  timezone: z.string().nullable(),
  version: z.int(),
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
  /** How the latest runs ended, oldest first; empty unless it is failing or degraded. */
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
  /** The worst first, then by workspace, project and name. */
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
