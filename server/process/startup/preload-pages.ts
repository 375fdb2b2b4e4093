import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Loads the modules of every page, so that the first visit of a page does not hold up other requests. Next would load
 * them when it serves requests already, and those of the API's routes too, which `server/http/front.ts` serves without it.
 */
export async function preloadPages(root: string): Promise<void> {
  const folder = join(root, '.next', 'server')
  const require = createRequire(import.meta.url)
  const files: Record<string, string> = JSON.parse(await readFile(join(folder, 'app-paths-manifest.json'), 'utf8'))
  for (const [name, file] of Object.entries(files)) {
    if (!name.endsWith('/page')) continue
    await require(join(folder, file))
    await nextTurn()
  }
}
