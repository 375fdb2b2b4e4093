import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// A killed start leaves its PostgreSQL running, or a lock file whose process id another process may have now.

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
 * Stops a PostgreSQL that still runs in `directory`, and deletes a lock file that names another live process: PostgreSQL
 * would not start beside it. The caller must ensure that no other process uses the cluster.
 */
export async function clearOrphan(directory: string): Promise<'none' | 'stopped' | 'stale'> {
  const left = readPostmaster(directory)
  if (!left) return 'none'
  if (isPostmasterOf(left.pid, directory)) {
    await stopPostmaster(left.pid, () => !isPostmasterOf(left.pid, directory))
    return 'stopped'
  }
  if (isAlive(left.pid)) rmSync(join(directory, 'postmaster.pid'), { force: true })
  return 'stale'
}

/** Stops PostgreSQL, cleanly at first, in the end by SIGKILL. @throws Error when it does not end */
export async function stopPostmaster(pid: number, hasEnded: () => boolean): Promise<void> {
  for (const [signal, waitMs] of STOP_SIGNALS) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile; the next check finds out.
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
