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

// For each import of a package Node parses the whole package.json: to find the file, and to learn its format. That of
// drizzle-orm has 180 kB, and hundreds of imports lead to it, which took much of a program's start.
const entries = new Map()
module.registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const entry = entries.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    entries.set(specifier, entry)
    return entry
  },
})
