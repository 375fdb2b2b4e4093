import { z } from 'zod'
import { parseDatabaseUrl } from '#db/database-url.ts'
import {
  cidr,
  flag,
  integer,
  integerOr,
  list,
  logLevelField,
  parseEnvironment,
  readEnvironment,
} from './environment.ts'

// The settings of an installation.

const origin = z.string().refine(
  (text) => {
    const url = URL.parse(text)
    return url !== null && url.origin === text
  },
  { error: (issue) => `"${String(issue.input)}" is not an origin such as https://app.example.com` },
)

const secretKeys = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((pair) => pair.trim())
      .filter(Boolean),
  )
  .pipe(
    z
      .array(
        z
          .string()
          .regex(/^[A-Za-z0-9_-]{1,32}:.{32,}$/, 'must be id:secret pairs with secrets of 32 characters or more'),
      )
      .min(1),
  )
  .transform((pairs) =>
    pairs.map((pair) => ({ id: pair.slice(0, pair.indexOf(':')), secret: pair.slice(pair.indexOf(':') + 1) })),
  )
  .optional()

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a URL such as postgres://user:password@host:5432/name' })
  .superRefine((url, { addIssue }) => {
    try {
      if (URL.canParse(url)) parseDatabaseUrl(url)
    } catch (error) {
      addIssue({ code: 'custom', message: (error as Error).message })
    }
  })
  .optional()

/** Settings that mean nothing without `DATABASE_URL`. */
const BESIDE_DATABASE_URL = ['DATABASE_SESSION_URL', 'DATABASE_READ_URL'] as const

const fields = z.object({
  PORT: integerOr(3000, 0, 65_535),
  HOST: z.string().default('0.0.0.0'),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://probes.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: databaseUrl,
  /** The server itself, where `DATABASE_URL` is a pooler's: for what needs a session. */
  DATABASE_SESSION_URL: databaseUrl,
  /** A streaming replica, for statistics, lists of results and exports. */
  DATABASE_READ_URL: databaseUrl,
  DATABASE_READ_LAG_MAX_SECONDS: integerOr(5, 1, 3_600),
  DATABASE_POOL_MAX: integerOr(10, 1, 1_000),
  DATA_DIR: z.string().default('.data'),
  SECRET_KEYS: secretKeys,
  SETUP_EMAIL: z.email().optional(),
  SETUP_PASSWORD: z.string().min(8).optional(),
  SETUP_ORGANIZATION: z.string().min(1).max(128).optional(),
  TRUSTED_DOMAIN_MODE: flag(false),
  PROBE_ALLOWED_NETWORKS: list.pipe(z.array(cidr)),
  /** A file in PEM: authorities that probes and webhooks trust besides the public ones. Read by workers. */
  PROBE_CA_FILE: z.string().optional(),
  API_CORS_ORIGINS: list.pipe(z.array(origin)),
  RATE_LIMIT_ENABLED: flag(true),
  RATE_LIMIT_API_MAX: integerOr(300, 1, 1_000_000),
  RATE_LIMIT_API_WINDOW: integerOr(60, 1, 3_600),
  RATE_LIMIT_API_FAILURE_MAX: integerOr(30, 1, 1_000_000),
  RATE_LIMIT_API_FAILURE_WINDOW: integerOr(60, 1, 3_600),
  RATE_LIMIT_DOCUMENT_MAX: integerOr(60, 1, 1_000_000),
  RATE_LIMIT_DASHBOARD_MAX: integerOr(1_200, 1, 1_000_000),
  RATE_LIMIT_PAGES_MAX: integerOr(600, 1, 1_000_000),
  RATE_LIMIT_HEALTH_MAX: integerOr(600, 1, 1_000_000),
  /** Requests per minute of one key of a remote agent. */
  RATE_LIMIT_AGENT_MAX: integerOr(12_000, 1, 1_000_000),
  TRUSTED_PROXY_HOPS: integerOr(0, 0, 10),
  REQUEST_BODY_MAX_BYTES: integerOr(1_048_576, 1_024, 104_857_600),
  BODY_STORE_URL: z
    .url({ protocol: /^(file|s3|https?)$/, error: 'must be a URL that begins with file:, s3:, https: or http:' })
    .optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtps://user:password@mail.example.com' })
    .optional(),
  MAIL_FROM: z.string().default('Soundline <soundline@localhost>'),
  AGENT_SLUG: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,62}$/,
      'must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash',
    )
    .default('local'),
  /** The maximum of parallel runs in one worker process. By default it depends on the machine. */
  WORKER_CONCURRENCY: integer(1, 1_000).optional(),
  /** After this long without a heartbeat, a worker is considered dead and its runs are repeated. */
  WORKER_STALE_SECONDS: integerOr(15, 3, 600),
  /** The same for a remote agent, whose heartbeats cross the internet. Its leases last as long. */
  AGENT_STALE_SECONDS: integerOr(45, 3, 600),
  SCHEDULE_SPREAD_SECONDS: integerOr(20, 0, 59),
  PROBE_RUN_TIMEOUT: integerOr(60, 1, 600),
  RESULT_RETENTION_DAYS: integerOr(90, 1, 3_650),
  BODY_RETENTION_DAYS: integerOr(30, 1, 3_650),
  VARIABLES_PER_SCOPE_MAX: integerOr(100, 1, 10_000),
  KEYS_PER_MEMBER_MAX: integerOr(50, 1, 10_000),
  ORGANIZATIONS_PER_ACCOUNT_MAX: integerOr(10, 1, 10_000),
  WEBHOOKS_PER_ORGANIZATION_MAX: integerOr(200, 1, 10_000),
  METRICS_TOKEN: z.string().min(16).max(256).optional(),
  METRICS_PER_SERVICE: flag(false),
  WORKER_HEALTH_PORT: integer(0, 65_535).optional(),
  LOG_LEVEL: logLevelField,
  // The packages of OpenTelemetry read these and the other `OTEL_*` variables by themselves.
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as http://collector:4318' })
    .optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_LOGS_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_SDK_DISABLED: flag(false),
  NODE_ENV: z.string().default('production'),
})

const schema = fields.superRefine((given, { addIssue }) => {
  for (const name of BESIDE_DATABASE_URL) {
    if (given[name] && !given.DATABASE_URL) addIssue({ code: 'custom', path: [name], message: 'needs DATABASE_URL' })
  }
})

export type Settings = Readonly<z.output<typeof schema>>

/**
 * Reads the settings from `environment`.
 * @throws SettingsError naming every setting that is not accepted
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  return parseEnvironment(schema, environment)
}

let current: Settings | null = null

/** Returns the settings of this process, read once. */
export function settings(): Settings {
  current ??= readEnvironment(schema)
  return current
}
