import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { readPostmaster } from '#db/embedded/postmaster.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { processTree, waitUntilEnded } from '#test/support/processes/processes.ts'
import { startProxy } from '#test/support/processes/proxy.ts'

/** Kinds of outage. Each makes the database unavailable for a given time. */
export const FAULTS = ['stop', 'kill', 'full-disk', 'refuse', 'black-hole'] as const
export type Fault = (typeof FAULTS)[number]

export type FaultyDatabase = {
  url: string
  /** The URL for the worker: through the proxy if the fault is in the connection. */
  urlFor: (fault: Fault) => string
  /** Causes a fault. Resolves when the database is available again. */
  causeOutage: (fault: Fault, seconds: number) => Promise<void>
  close: () => Promise<void>
}

/** Starts a new database behind a proxy, on which each kind of outage can be caused. */
export async function startFaultyDatabase(): Promise<FaultyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-outages-'))
  const options = { directory: join(folder, 'postgres'), port: await freePort(), password: 'outages', volatile: true }
  let database: EmbeddedDatabase = await startEmbeddedDatabase(options)
  const proxy = await startProxy(database.url)
  const postmaster = () => readPostmaster(options.directory)?.pid as number
  const restartAfter = async (seconds: number) => {
    await sleep(seconds * 1_000)
    database = await startEmbeddedDatabase(options)
  }
  const causes: Record<Fault, (seconds: number) => Promise<void>> = {
    async stop(seconds) {
      await database.stop()
      await restartAfter(seconds)
    },
    async kill(seconds) {
      const family = processTree(postmaster())
      for (const { pid } of family) process.kill(pid, 'SIGKILL')
      await waitUntilEnded(family)
      await restartAfter(seconds)
    },
    // A limit on file sizes acts like a full disk: no write that extends a file succeeds.
    async 'full-disk'(seconds) {
      const until = Date.now() + seconds * 1_000
      const { uid, gid } = statSync(options.directory)
      for (const { pid } of processTree(postmaster())) {
        spawnSync('prlimit', [`--pid=${pid}`, '--fsize=8192'], { uid, gid, cwd: '/' })
      }
      await sleep(10_000)
      await database.stop()
      await restartAfter(Math.max(0, until - Date.now()) / 1_000)
    },
    async refuse(seconds) {
      proxy.refuse()
      await sleep(seconds * 1_000)
      proxy.restore()
    },
    async 'black-hole'(seconds) {
      proxy.blackHole()
      await sleep(seconds * 1_000)
      proxy.restore()
    },
  }
  return {
    url: database.url,
    urlFor: (fault) => (fault === 'refuse' || fault === 'black-hole' ? proxy.url : database.url),
    causeOutage: (fault, seconds) => causes[fault](seconds),
    async close() {
      proxy.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
