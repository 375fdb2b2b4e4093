import { startTelemetry } from '#server/observe/telemetry/start-telemetry.ts'
import { runProgram, sendToParent } from '#server/process/lifecycle.ts'
import { settings } from '#server/process/settings.ts'
import { runWorker } from './run-worker.ts'

// `npm run worker`: dispatches schedules, executes runs of one agent, runs jobs. Any number of workers share a database.

await runProgram(async (stops, fail) => {
  const given = settings()
  stops.defer(await startTelemetry(given, 'worker'))
  await runWorker(given, stops, fail)
  sendToParent({ type: 'ready' })
})
