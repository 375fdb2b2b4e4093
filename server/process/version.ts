// Imported as a module, because the build of the dashboard bundles this file: paths beside it are others there.
import manifest from '../../package.json' with { type: 'json' }

/** Returns the release that this program is. */
export function programVersion(): string {
  return manifest.version
}
