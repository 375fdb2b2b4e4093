import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm runs this after an installation without the development packages. It deletes what no program reads, a third of
// the installation. Plain JavaScript without imports of ours, because an image runs it before the sources are there.

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url))

const UNUSED = [
  // Source maps, sources, types, and texts for readers. Licences stay. Next asks for the types of React and Node at each
  // build, although it does not check them.
  /\.map$/,
  /^(?!\/@types\/).*\.[mc]?tsx?$/,
  /^(?!.*\/(licen[cs]e|notice|copying)[^/]*$).*\.(md|markdown|flow|tsbuildinfo)$/i,
  // Headers and manuals of Node.
  /\/node-[^/]+\/(include|share)$/,
  // Parts of Next for `next dev` and for experimental modes.
  /\/next\/dist\/compiled\/(react|react-dom|react-server-dom-\w+)-experimental$/,
  /\/next\/dist\/compiled\/next-server\/[^/]*(-experimental\.runtime|\.dev)[^/]*\.js$/,
  // The compiler's translations and command. Next and openapi-typescript load its library alone.
  /\/typescript\/lib\/([a-z]{2}|[a-z]{2}-[a-z]{2}|_[^/]*\.js)$/,
  // The second copy of the components. The bundler reads the modules.
  /\/@mantine\/[^/]+\/cjs$/,
]

/** Deletes what is unused in a folder. Returns whether anything is left. */
function trim(folder) {
  const left = readdirSync(folder, { withFileTypes: true }).filter((entry) => {
    const path = join(folder, entry.name)
    const name = path.slice(PACKAGES.length).replaceAll('\\', '/')
    const isUnused = !entry.isSymbolicLink() && UNUSED.some((pattern) => pattern.test(name))
    if (isUnused) rmSync(path, { recursive: true })
    else if (entry.isDirectory()) return trim(path)
    return !isUnused
  })
  if (left.length === 0) rmdirSync(folder)
  return left.length > 0
}

// The development packages have it, and no other package needs it.
if (!existsSync(join(PACKAGES, 'vitest'))) trim(PACKAGES)
