import type { WebHandler } from './http/front.ts'
import { createHealth } from './http/health.ts'
import { createMcp } from './mcp/serve.ts'
import { oncePerProcess } from './process/once-per-process.ts'
import { createFacade, type Facade } from './rest/serve.ts'
import { createDocument } from './rest/serve-document.ts'
import { processRuntime } from './runtime.ts'

export type Handlers = {
  api: Facade
  mcp: Facade
  document: WebHandler
  health: (request: Request) => Promise<Response>
}

/** Returns the handlers of this process, for the HTTP front and for route handlers in Next's bundle. @throws SettingsError */
export function processHandlers(): Handlers {
  return oncePerProcess('handlers', () => {
    const runtime = processRuntime()
    return {
      api: createFacade(runtime),
      mcp: createMcp(runtime),
      document: createDocument(runtime),
      health: createHealth(runtime),
    }
  })
}
