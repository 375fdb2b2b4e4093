import { type AgentGateway, createAgentGateway } from './agents/gateway.ts'
import { createDashboard, type Dashboard } from './dashboard/session-front.ts'
import { createMetrics } from './exposition/metrics-front.ts'
import { createDatabaseCheck, createReadiness, type Readiness } from './exposition/ready.ts'
import type { WebHandler } from './http/front.ts'
import { createHealth } from './http/health.ts'
import { createMcp } from './mcp/mcp-front.ts'
import { createProcessMetrics, type ProcessMetrics } from './metrics/process-metrics.ts'
import { oncePerProcess } from './process/once-per-process.ts'
import { createDocument } from './rest/document-front.ts'
import { createFacade, type Facade } from './rest/facade.ts'
import { processRuntime } from './runtime.ts'

export type Handlers = {
  api: Facade
  mcp: ReturnType<typeof createMcp>
  dashboard: Dashboard
  agents: AgentGateway
  document: WebHandler
  health: (request: Request) => Promise<Response>
  ready: Readiness['serve']
  metrics: WebHandler
}

/** Returns the metrics and the readiness of this web process. @throws SettingsError */
export function webMonitoring(): { own: ProcessMetrics; readiness: Readiness } {
  return oncePerProcess('monitoring', () => {
    const { db, reads, live, waits } = processRuntime()
    const pools = { web: db.$client.pool, ...(reads.pool && { replica: reads.pool }) }
    const measured = { pools, liveStreams: () => live.size, runWaits: () => waits.size }
    return { own: createProcessMetrics('web', measured), readiness: createReadiness(createDatabaseCheck(db)) }
  })
}

/** Returns the handlers of this process, for the HTTP front and for Next's route handlers. @throws SettingsError */
export function processHandlers(): Handlers {
  return oncePerProcess('handlers', () => {
    const runtime = processRuntime()
    const { own, readiness } = webMonitoring()
    return {
      api: createFacade(runtime),
      mcp: createMcp(runtime),
      dashboard: createDashboard(runtime),
      agents: createAgentGateway(runtime),
      document: createDocument(runtime),
      health: createHealth(runtime),
      ready: readiness.serve,
      metrics: createMetrics(runtime, own),
    }
  })
}
