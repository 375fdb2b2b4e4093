import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// A start that was killed leaves its PostgreSQL behind, or a lock file whose process id may belong to someone else now.

/** How a PostgreSQL is asked to stop, ever less politely, and how long each is given. */
const STOP_SIGNALS: [signal: NodeJS.Signals, waitMs: number][] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]

export type Postmaster = { pid: number; ready: boolean }

/** What the lock file of the cluster in `directory` says; null when there is none. */
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
 * Stops the PostgreSQL that still runs in `directory`, and removes a lock file that names a process which is none: that
 * file alone would keep PostgreSQL from starting. Only for a caller that knows nobody uses the cluster.
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

/** Ends PostgreSQL: at first cleanly, in the end in any way. */
export async function stopPostmaster(pid: number, hasEnded: () => boolean): Promise<void> {
  for (const [signal, waitMs] of STOP_SIGNALS) {
    try {
      process.kill(pid, signal)
    } catch {
      // Gone in the meantime, which the next look sees.
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

/** Process ids are used again, so the command line has to name the cluster. A process that ended has none. */
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
