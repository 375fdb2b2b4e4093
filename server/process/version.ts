import manifest from '../../package.json' with { type: 'json' }

/** Returns the release that this program is. */
export function programVersion(): string {
  return manifest.version
}
