import { afterAll, beforeAll } from 'vitest'
import { parseSettings } from '#server/process/settings.ts'
import { runWorker } from '#worker/run-worker.ts'
import { testFolder } from '../folder.ts'
import { workerEnvironment } from './worker-processes.ts'

export type TestWorker = {
  /** Stops it as SIGTERM does. */
  stop: () => Promise<void>
}

/**
 * Starts real workers in this process, on a database. They may probe loopback, and are stopped after the test file. Only
 * tests that kill a worker, or look at its process, need one of `workerProcesses`: it costs more than a second to start.
 */
export function testWorkers(databaseUrl: string) {
  const folder = testFolder()
  const running = new Set<AsyncDisposableStack>()
  const stopAll = async () => {
    await Promise.all([...running].map((stops) => stops.disposeAsync()))
    running.clear()
  }
  afterAll(stopAll)

  return {
    folder,
    stopAll,
    async start(environment: Record<string, string> = {}): Promise<TestWorker> {
      const stops = new AsyncDisposableStack()
      running.add(stops)
      const settings = parseSettings({ ...workerEnvironment(databaseUrl, folder), ...environment })
      await runWorker(settings, stops, (reason) => {
        throw new Error(reason)
      })
      return { stop: () => stops.disposeAsync() }
    },
  }
}

/** A worker of the test file: it runs from the first test to the last, and can be stopped and started again. */
export function testWorker(databaseUrl: string) {
  const { start, stopAll } = testWorkers(databaseUrl)
  beforeAll(() => start())
  return { start, stop: stopAll }
}
