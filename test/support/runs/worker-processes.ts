import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { ChildMessage } from '#server/process/lifecycle.ts'
import { testFolder } from '../folder.ts'
import { PRELOAD } from '../processes/preload.ts'

export const TEST_SECRET_KEYS = `test:${'0123456789abcdef'.repeat(4)}`

export type WorkerProcess = {
  process: ChildProcess
  /** Sends SIGTERM and resolves with the exit code. */
  stop: () => Promise<number | null>
  /** Sends SIGKILL and waits for the end. */
  kill: () => Promise<void>
}

/** The settings of a worker of the tests. It may probe loopback. */
export function workerEnvironment(databaseUrl: string, folder: string) {
  return {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: TEST_SECRET_KEYS,
    DATA_DIR: folder,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    SCHEDULE_SPREAD_SECONDS: '0',
    NODE_ENV: 'test' as const,
  }
}

/** Starts real worker processes on a database. They may probe loopback. They are killed after the test file. */
export function workerProcesses(databaseUrl: string) {
  const folder = testFolder()
  const started = new Set<ChildProcess>()
  /** Kills the processes that still run. */
  const killAll = async () => {
    for (const child of started) child.kill('SIGKILL')
    await Promise.all([...started].map((child) => ended(child)))
    started.clear()
  }
  afterAll(killAll)

  return {
    folder,
    killAll,
    /** `onOutput` receives the output of the process; without it, the output is inherited. */
    async start(environment: Record<string, string> = {}, onOutput?: (text: string) => void): Promise<WorkerProcess> {
      const out = onOutput ? 'pipe' : 'inherit'
      const child = fork(new URL('../../../worker/main.ts', import.meta.url), [], {
        execPath: process.execPath,
        execArgv: PRELOAD,
        stdio: ['ignore', out, out, 'ipc'],
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          LOG_LEVEL: 'fatal',
          ...workerEnvironment(databaseUrl, folder),
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

/** Polls until the value is not null, undefined or false, and returns it. @throws Error naming `what` after five minutes */
export async function until<T>(what: string, ask: () => Promise<T | null | false | undefined>): Promise<T> {
  const deadline = Date.now() + 300_000
  // Each poll takes CPU time from the awaited work, so the pause grows.
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 1.3, 200)) {
    const answer = await ask()
    if (answer !== null && answer !== false && answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(pauseMs)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
