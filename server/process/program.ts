import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

/** The folder of the program, with its `package.json`. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the release that this program is. */
export function programVersion(): string {
  return manifest.version
}
