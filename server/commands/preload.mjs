import module from 'node:module'
import { fileURLToPath } from 'node:url'

// The npm scripts load this before the program. Plain JavaScript, because an older Node cannot parse TypeScript.

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This needs Node 24 and runs on ${process.versions.node}: npm installs its own Node 24 (run \`npm ci\` without --ignore-scripts, then the npm scripts)`,
  )
  process.exit(1)
}

// Compiled code of earlier starts, which saves CPU time. Where it cannot be written, Node goes without.
module.enableCompileCache(fileURLToPath(new URL('../../.next/cache/compile', import.meta.url)))

const ROOT = new URL('../../', import.meta.url).href
const PACKAGES = `${ROOT}node_modules/`
/** Packages of ES modules whose files import each other by their full names. */
const MODULE_PACKAGE = /\/node_modules\/(drizzle-orm|zod|uuid)\//

// A program loads 900 to 1,400 modules. For each import Node looks for the file and for the package.json with its
// format, and parses the package's: that of drizzle-orm has 180 kB. Where the name says all of it, nothing is looked
// up, and the entry of a package is looked up once. This takes a sixth off the start of web.
const entries = new Map()
module.registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions } = context
    if (!parentURL.startsWith(ROOT) || conditions.includes('require')) return next(specifier, context)
    if (parentURL.startsWith(PACKAGES)) {
      const isFile = specifier.startsWith('.') && specifier.endsWith('.js') && MODULE_PACKAGE.test(parentURL)
      return isFile ? found(new URL(specifier, parentURL).href, 'module') : next(specifier, context)
    }
    if (specifier.endsWith('.ts')) {
      if (specifier.startsWith('.')) return found(new URL(specifier, parentURL).href, 'module-typescript')
      // The package.json's `imports` lead to the folder of the same name.
      if (specifier.startsWith('#')) return found(ROOT + specifier.slice(1), 'module-typescript')
    }
    if (specifier.startsWith('.')) return next(specifier, context)
    const entry = entries.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    entries.set(specifier, entry)
    return entry
  },
})

/** Ends the search for a module. */
function found(url, format) {
  return { url, format, shortCircuit: true }
}
