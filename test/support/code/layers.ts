/**
 * The rooms of the program from the bottom up: a room imports only rooms before it. Files at the top level of `server`
 * and `worker` tie rooms together and are listed in ROOT_FILES.
 */
export const ROOMS = [
  'db/schema',
  'db/connections',
  'db/embedded',
  'server/lace',
  'server/process',
  'server/metrics',
  'server/system',
  'server/telemetry',
  'server/script-import',
  'server/fairness',
  'server/schedule',
  'server/schemas',
  'server/cli',
  'server/webhooks',
  'server/http',
  'server/auth',
  'server/live',
  'server/bodies',
  'server/mail',
  'server/scripts',
  'server/statistics',
  'server/results',
  'server/runs',
  'server/alerts',
  'server/status',
  'server/accounts',
  'server/services',
  'server/redaction',
  'server/record',
  'server/probes',
  'server/exposition',
  'server/backup',
  'server/operations',
  'server/rest',
  'server/mcp',
  'server/dashboard',
  'server/commands',
  'worker/queue',
  'worker/http',
  'worker/probe',
  'worker/runs',
  'worker/agent',
  'worker/tasks',
  'worker/cli',
]

/** Every file at the top level of a program's folder. A new one needs a room, or a reason to tie rooms together. */
export const ROOT_FILES: Record<string, string[]> = {
  server: [
    'access.ts',
    'audit.ts',
    'context.ts',
    'durations.ts',
    'errors.ts',
    'handlers.ts',
    'input-errors.ts',
    'paging.ts',
    'resources.ts',
    'router.ts',
    'runtime.ts',
    'scopes.ts',
    'trpc.ts',
    'vault.ts',
  ],
  worker: ['heartbeat.ts', 'liveness.ts', 'loop.ts', 'main.ts', 'worker.ts'],
}

/** A room with more files than this at one level has rooms within it that want a name. */
export const MAX_FILES_PER_LEVEL = 20
