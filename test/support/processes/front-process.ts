import { once } from 'node:events'
import { TEST_SECRET_KEYS } from '../runs/worker-processes.ts'
import { startReady } from './ready-process.ts'

export type FrontProcess = {
  url: string
  /** Sends SIGKILL and waits for the end. */
  kill: () => Promise<void>
}

/** Starts a web process without the dashboard's pages, which costs a third. `environment` must name the database. */
export async function startFront(environment: Record<string, string>): Promise<FrontProcess> {
  const { child, port } = await startReady(new URL('./front.ts', import.meta.url), {
    HOST: '127.0.0.1',
    SECRET_KEYS: TEST_SECRET_KEYS,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
