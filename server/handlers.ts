import { type AgentGateway, createAgentGateway } from './fronts/agents/gateway.ts'
import { createMetrics } from './fronts/exposition/metrics-front.ts'
import { createMcp } from './fronts/mcp/mcp-front.ts'
import { createDocument } from './fronts/rest/document-front.ts'
import { createFacade, type Facade } from './fronts/rest/facade.ts'
import { createDashboard, type Dashboard } from './fronts/session/session-front.ts'
import { createHealth } from './health/health.ts'
import { createDatabaseCheck, createReadiness, type Readiness } from './health/ready.ts'
import type { WebHandler } from './http/front.ts'
import { createProcessMetrics, type ProcessMetrics } from './observe/metrics/process-metrics.ts'
import { oncePerProcess } from './process/once-per-process.ts'
import { processRuntime } from './runtime.ts'

export type Handlers = {
  api: Facade
  mcp: ReturnType<typeof createMcp>
  dashboard: Dashboard
  agent: AgentGateway
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
      agent: createAgentGateway(runtime),
      document: createDocument(runtime),
      health: createHealth(runtime),
      ready: readiness.serve,
      metrics: createMetrics(runtime, own),
    }
  })
}
