import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// A start that is killed may leave PostgreSQL running, or a lock file with a process id that is used again.

/** The signals that stop PostgreSQL, from smart to forced, and the time to wait after each. */
const STOP_SIGNALS: [signal: NodeJS.Signals, waitMs: number][] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]

export type Postmaster = { pid: number; ready: boolean }

/** Reads the lock file of the cluster in `directory`. Returns null when there is none. */
export function readPostmaster(directory: string): Postmaster | null {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null
  } catch {
    return null
  }
}

/**
 * Stops a PostgreSQL that still runs in `directory`. Deletes lock files that name another live process, because
 * PostgreSQL does not start with it. The caller must ensure that no other process uses the cluster.
 */
export async function clearOrphan(directory: string): Promise<'none' | 'stopped' | 'stale'> {
  const left = readPostmaster(directory)
  if (!left) return 'none'
  if (isPostmasterOf(left.pid, directory)) {
    await stopPostmaster(left.pid, () => !isPostmasterOf(left.pid, directory))
    return 'stopped'
  }
  if (isAlive(left.pid)) removeLocks(directory)
  return 'stale'
}

/** Deletes the lock file of the cluster, and those of its sockets. */
function removeLocks(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name === 'postmaster.pid' || name.startsWith('.s.PGSQL.')) rmSync(join(directory, name), { force: true })
  }
}

/** Stops PostgreSQL: first cleanly, finally by SIGKILL. @throws Error when it does not end */
export async function stopPostmaster(pid: number, hasEnded: () => boolean): Promise<void> {
  for (const [signal, waitMs] of STOP_SIGNALS) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended already; the next check notices it.
    }
    for (const until = Date.now() + waitMs; Date.now() < until; await sleep(20)) if (hasEnded()) return
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Process ids are reused, so the command line must name the cluster. An ended process has no command line. */
function isPostmasterOf(pid: number, directory: string): boolean {
  const words = commandLine(pid)
  return words.includes('postgres') && words.includes(directory)
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
