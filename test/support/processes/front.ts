import { processHandlers } from '#server/handlers.ts'
import { createFront } from '#server/http/front.ts'
import { log } from '#server/process/log.ts'
import { processRuntime } from '#server/runtime.ts'

// The web process without the dashboard's pages: it starts faster, with the same pool, API, live updates and health check.
// FRONT_PORT is its port, for a program that starts it again.

process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'an error ended the program')
  process.exit(1)
})
const runtime = processRuntime()
runtime.live.start()
const front = createFront({ runtime, ...processHandlers() })
front.listen(Number(process.env.FRONT_PORT ?? 0), '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (front.address() as { port: number }).port })
})
process.once('SIGTERM', () => process.exit(0))
