import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { ChildMessage } from '#server/process/lifecycle.ts'

export const TEST_SECRET_KEYS = `test:${'0123456789abcdef'.repeat(4)}`

export type WorkerProcess = {
  process: ChildProcess
  /** SIGTERM and the exit code it ends with. */
  stop: () => Promise<number | null>
  /** SIGKILL, and the end of it. */
  kill: () => Promise<void>
}

/**
 * Starts real worker processes against a database. They may reach loopback, and are ended with the test file whatever
 * becomes of the test.
 */
export function workerProcesses(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-worker-'))
  const started = new Set<ChildProcess>()
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await Promise.all([...started].map((child) => ended(child)))
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    folder,
    /** `onOutput` gets what the process prints, in place of this one's own output. */
    async start(environment: Record<string, string> = {}, onOutput?: (text: string) => void): Promise<WorkerProcess> {
      const out = onOutput ? 'pipe' : 'inherit'
      const child = fork(new URL('../../../worker/main.ts', import.meta.url), [], {
        execPath: process.execPath,
        execArgv: [],
        stdio: ['ignore', out, out, 'ipc'],
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DATABASE_URL: databaseUrl,
          SECRET_KEYS: TEST_SECRET_KEYS,
          DATA_DIR: folder,
          PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
          SCHEDULE_SPREAD_SECONDS: '0',
          LOG_LEVEL: 'fatal',
          NODE_ENV: 'test',
          ...environment,
        },
      })
      started.add(child)
      if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
      await new Promise<void>((resolve, reject) => {
        child.on('message', (message: ChildMessage) => {
          if (message.type === 'ready') resolve()
          else reject(new Error(message.reason))
        })
        child.once('exit', (code) => reject(new Error(`the worker ended with ${code} before it was ready`)))
      })
      return {
        process: child,
        async stop() {
          child.kill('SIGTERM')
          await ended(child)
          return child.exitCode
        },
        async kill() {
          child.kill('SIGKILL')
          await ended(child)
        },
      }
    },
  }
}

/** Asks again and again until the answer is no longer null or false. Fails after two minutes with what it waited for. */
export async function until<T>(what: string, ask: () => Promise<T | null | false | undefined>): Promise<T> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== false && answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(50)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
