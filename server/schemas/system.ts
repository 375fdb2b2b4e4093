import { z } from 'zod'
import { Instant } from './conventions.ts'

// The System page, for the owner of the organization that operates the installation. Times are durations in the unit of
// their name; sizes are bytes.

export const SystemProcess = z.object({
  id: z.string(),
  kind: z.enum(['web', 'worker', 'agent']),
  /** The agent whose runs it executes; null for a web process. */
  agent: z.string().nullable(),
  /** Null for a worker of a release that does not say it. */
  version: z.string().nullable(),
  host: z.string(),
  startedAt: Instant,
  lastSeenAt: Instant,
  isAlive: z.boolean(),
  slots: z.number().nullable(),
  busy: z.number().nullable(),
})
export type SystemProcess = z.output<typeof SystemProcess>

/** `isMore`: counting ended at `count`. */
const Waiting = z.object({ count: z.number(), isMore: z.boolean(), oldestSeconds: z.number().nullable() })

export const SystemWork = z.object({
  /** Services whose run is due and was not dispatched. */
  due: Waiting,
  runs: Waiting,
  running: z.number(),
  jobs: z.array(Waiting.extend({ task: z.string(), failing: z.number() })),
})

export const SystemStorage = z.object({
  postgres: z.string(),
  connections: z.object({ open: z.number(), max: z.number() }),
  databaseBytes: z.number(),
  resultBytes: z.number(),
  samples: z.array(z.object({ day: z.string(), databaseBytes: z.number() })),
  /** Null until there are three days of samples. */
  forecast: z.object({ bytesPerDay: z.number(), in30Days: z.number(), in90Days: z.number() }).nullable(),
  /** The disk of `DATA_DIR` on the machine of the web process. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number(), hasDatabase: z.boolean() }).nullable(),
  partitions: z.object({
    count: z.number(),
    first: z.string().nullable(),
    last: z.string().nullable(),
    missing: z.array(z.string()),
  }),
  /** Services whose hours of former days are not summed up by day yet, and the oldest such day. */
  rollups: z.object({ services: z.number(), isMore: z.boolean(), oldestDay: z.string().nullable() }),
  stores: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      isCurrent: z.boolean(),
      lastUsedAt: Instant,
      /** An estimate from samples; null without one. */
      bytes: z.number().nullable(),
      bytesPerDay: z.number().nullable(),
    }),
  ),
})

export const SystemWarning = z.object({
  code: z.string(),
  subject: z.string(),
  detail: z.string(),
  firstAt: Instant,
  lastAt: Instant,
  count: z.number(),
})
export type SystemWarning = z.output<typeof SystemWarning>

export const SystemOverview = z.object({
  /** The release of the newest live web process. */
  version: z.string().nullable(),
  processes: z.array(SystemProcess),
  work: SystemWork,
  storage: SystemStorage,
  mail: z.object({ isConfigured: z.boolean(), lastSentAt: Instant.nullable(), lastFailure: SystemWarning.nullable() }),
  backup: z
    .object({
      at: Instant,
      file: z.string(),
      host: z.string(),
      release: z.string(),
      bytes: z.number(),
      bodies: z.number(),
      missing: z.number(),
    })
    .nullable(),
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
  warnings: z.array(SystemWarning),
})
export type SystemOverview = z.output<typeof SystemOverview>
