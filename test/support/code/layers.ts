import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/program.ts'

const [, table = ''] = /\n## Rooms\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'server/README.md'), 'utf8')) ?? []

/**
 * The rooms of the program from the bottom up, as `server/README.md` lists them: a room imports only rooms before it.
 * Files at the top level of `server` and `worker` tie rooms together and are listed in ROOT_FILES.
 */
export const ROOMS = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
)

/** Every file at the top level of a program's folder. A new one needs a room, or a reason to tie rooms together. */
export const ROOT_FILES: Record<string, string[]> = {
  server: [
    'README.md',
    'access.ts',
    'app-exports.ts',
    'audit.ts',
    'context.ts',
    'durations.ts',
    'errors.ts',
    'handlers.ts',
    'input-errors.ts',
    'paging.ts',
    'resources.ts',
    'router.ts',
    'row-scope.ts',
    'runtime.ts',
    'trpc.ts',
    'vault.ts',
  ],
  worker: ['README.md', 'heartbeat.ts', 'liveness.ts', 'loop.ts', 'main.ts', 'process-load.ts', 'worker.ts'],
}

/** A room with more files than this at one level has rooms within it that want a name. */
export const MAX_FILES_PER_LEVEL = 20
