import { spawnSync } from 'node:child_process'

/** Whether PgBouncer is installed. Without it, `test/db/pooled.test.ts` is left out. */
export function isPoolerInstalled(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0
}
