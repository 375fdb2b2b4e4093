import type { StallSetup } from './setup.ts'
import type { Variation } from './variation.ts'

export type HostileInput = {
  name: string
  /** Whose loop it held. */
  process: 'web' | 'worker'
  send: (world: StallSetup, vary: Variation) => Promise<void>
}
