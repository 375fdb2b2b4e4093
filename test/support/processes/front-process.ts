import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { TEST_SECRET_KEYS } from '../runs/worker-processes.ts'
import { PRELOAD } from './preload.ts'

export type FrontProcess = {
  url: string
  /** Sends SIGKILL and waits for the end. */
  kill: () => Promise<void>
}

/** Starts a web process without the dashboard's pages, which costs a third. `environment` must name the database. */
export async function startFront(environment: Record<string, string>): Promise<FrontProcess> {
  const child = fork(new URL('./front.ts', import.meta.url), [], {
    execPath: process.execPath,
    execArgv: PRELOAD,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      SECRET_KEYS: TEST_SECRET_KEYS,
      PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'fatal',
      NODE_ENV: 'production',
      ...environment,
    },
  })
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`the front ended with ${code} before it was ready`)))
  })
}
