import { createHealth } from './http/health.ts'
import { type ApiFacade, createFacade, type Facade } from './rest/serve.ts'
import { createDocument } from './rest/serve-document.ts'
import { processServices } from './runtime.ts'

// Built once per process, whoever asks first: the front in front of Next, or a route handler in Next's own bundle.

export type Facades = { api: ApiFacade; document: Facade; health: (request: Request) => Promise<Response> }

const SLOT = Symbol.for('soundline.facades')

/** @throws SettingsError as `processServices` does */
export function processFacades(): Facades {
  const slotted = globalThis as { [SLOT]?: Facades }
  if (!slotted[SLOT]) {
    const services = processServices()
    slotted[SLOT] = {
      api: createFacade(services),
      document: createDocument(services),
      health: createHealth(services),
    }
  }
  return slotted[SLOT]
}
