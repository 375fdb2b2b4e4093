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
