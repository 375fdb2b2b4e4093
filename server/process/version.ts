import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './dashboard-build.ts'

let version: string | null = null

/** Returns the release that this program is. */
export function programVersion(): string {
  version ??= (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version
  return version
}
