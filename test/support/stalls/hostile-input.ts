import type { StallSetup } from './setup.ts'
import type { Variation } from './variation.ts'

export type HostileInput = {
  name: string
  /** The process whose event loop it blocked. */
  process: 'web' | 'worker'
  send: (setup: StallSetup, variation: Variation) => Promise<void>
}
