import { createHealth } from './http/health.ts'
import { type ApiFacade, createFacade, type Facade } from './rest/serve.ts'
import { createDocument } from './rest/serve-document.ts'
import { processRuntime } from './runtime.ts'

// Built once per process, whoever asks first: the front in front of Next, or a route handler in Next's own bundle.

export type Handlers = { api: ApiFacade; document: Facade; health: (request: Request) => Promise<Response> }

const SLOT = Symbol.for('soundline.handlers')

/** @throws SettingsError as `processRuntime` does */
export function processHandlers(): Handlers {
  const slotted = globalThis as { [SLOT]?: Handlers }
  if (!slotted[SLOT]) {
    const runtime = processRuntime()
    slotted[SLOT] = {
      api: createFacade(runtime),
      document: createDocument(runtime),
      health: createHealth(runtime),
    }
  }
  return slotted[SLOT]
}
