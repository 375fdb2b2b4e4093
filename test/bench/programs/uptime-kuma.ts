import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../child-process.ts'

// Uptime Kuma is an optional peer: `UPTIME_KUMA` names the folder of its package. A benchmark installs nothing.

const STARTED_LIMIT_MS = 60_000
/** Longer than a benchmark, so that its monitors send one request each. */
const INTERVAL_SECONDS = 86_400
const MINUTE_MS = 60_000

export type UptimeKuma = { origin: string; pid: number; seconds: number; stop: () => Promise<void> }

/** Returns the folder of the package, or null and says how to get one. */
export function findUptimeKuma(): string | null {
  const folder = process.env.UPTIME_KUMA
  if (folder && existsSync(join(folder, 'server/server.js'))) return folder
  console.log(
    'Uptime Kuma is not measured: set UPTIME_KUMA to the folder of its package (see test/bench/README.md for how to install it)',
  )
  return null
}

/** Starts the server with its database in `dataFolder`. `seconds` is the time until it responds. */
export async function startUptimeKuma(folder: string, dataFolder: string): Promise<UptimeKuma> {
  await writeFile(join(dataFolder, 'db-config.json'), JSON.stringify({ type: 'sqlite' }))
  const port = await freePort()
  const { PATH = '' } = process.env
  const startedAt = performance.now()
  const program = spawn(process.execPath, ['server/server.js'], {
    cwd: folder,
    env: {
      ...{ NODE_ENV: 'production', PATH, HOME: dataFolder, DATA_DIR: dataFolder },
      ...{ UPTIME_KUMA_HOST: '127.0.0.1', UPTIME_KUMA_PORT: String(port) },
    },
    // On SQLite, this version prints an error for each page that is opened (see test/bench/README.md).
    stdio: 'ignore',
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await isServed(origin))) {
    const isOver = program.exitCode !== null || performance.now() - startedAt > STARTED_LIMIT_MS
    if (isOver) throw new Error('Uptime Kuma did not start')
    await sleep(20)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  return { origin, pid: program.pid as number, seconds, stop: () => stop(program) }
}

/**
 * Creates monitors of `url` with checks of the last minutes, and switches signing in off. The server must have run once
 * with this data folder, and must not run now.
 */
export function fillUptimeKuma(dataFolder: string, amounts: { monitors: number; checks: number }, url: string): void {
  const db = new DatabaseSync(join(dataFolder, 'kuma.db'))
  try {
    db.exec('begin')
    db.exec(`insert into user (id, username, password) values (1, 'bench', '')`)
    db.exec(`insert into setting (key, value, type) values ('disableAuth', 'true', 'general')`)
    const addMonitor = db.prepare(
      `insert into monitor (id, name, user_id, type, url, interval, retry_interval, timeout) values (?, ?, 1, 'http', ?, ?, ?, 48)`,
    )
    const addCheck = db.prepare(
      `insert into heartbeat (monitor_id, important, status, msg, time, ping, duration) values (?, 0, 1, '200 - OK', ?, ?, 60)`,
    )
    for (let id = 1; id <= amounts.monitors; id++) {
      const name = `Service ${String(id - 1).padStart(3, '0')}`
      addMonitor.run(id, name, url, INTERVAL_SECONDS, INTERVAL_SECONDS)
      for (let n = Math.floor(amounts.checks / amounts.monitors); n > 0; n--) {
        const time = new Date(Date.now() - n * MINUTE_MS).toISOString().replace('T', ' ').replace('Z', '')
        addCheck.run(id, time, 50 + (n % 100))
      }
    }
    db.exec('commit')
  } finally {
    db.close()
  }
}

async function isServed(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/`)).ok
  } catch {
    return false
  }
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  await ended
}
