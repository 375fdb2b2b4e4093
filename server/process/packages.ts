import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'
import { pack } from 'tar-stream'

// The packages that an installation serves: a program and everything it needs in a few files, so that npm installs it
// without a registry.

export type PackageName = 'cli' | 'agent'

/** The first entry is the program. Entries have the same paths in the package and in the sources. */
const ENTRIES: Record<PackageName, [string, ...string[]]> = {
  cli: ['server/cli/main', 'worker/cli/main'],
  agent: ['worker/agent/main'],
}
const AGENT = { name: 'soundline-agent', description: 'The remote agent of Soundline.' }
/** The time of every file, so that the same sources give the same bytes. */
const FILE_TIME = new Date('2000-01-01T00:00:00Z')

/** Functions that the language uses and Node 20 lacks. */
const NODE_20 = [
  'URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);',
  'process.threadCpuUsage ??= (previous) => process.cpuUsage(previous);',
  'Map.groupBy ??= (items, keyOf) => { const groups = new Map(); for (const item of items) { const key = keyOf(item);',
  'if (groups.has(key)) groups.get(key).push(item); else groups.set(key, [item]); } return groups; };',
  'globalThis.AsyncDisposableStack ??= class { #stops = []; defer(stop) { this.#stops.push(stop); }',
  'async disposeAsync() { for (const stop of this.#stops.splice(0).reverse()) await stop(); } };',
].join(' ')

/** Bundles a program of the product in folder `root`, and writes its package to the file `target`. */
export async function writePackage(root: string, kind: PackageName, target: string): Promise<void> {
  const readManifest = async (folder: string) => JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const { version, license } = await readManifest('.')
  const { name, description } = kind === 'cli' ? await readManifest('server/cli') : AGENT
  const entries = ENTRIES[kind]
  const program = `${entries[0]}.js`
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { [name]: program },
    engines: { node: '>=20' },
  }
  const bundled = await bundle(root, entries)
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...bundled }
  // Another process may read it meanwhile.
  await writeFile(`${target}.new`, gzipSync(await tarball(files, program), { level: 9 }))
  await rename(`${target}.new`, target)
}

/** Returns the files of the bundle by their paths. */
async function bundle(root: string, entries: string[]): Promise<Record<string, string>> {
  const input = Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`]))
  const build = await rolldown({ cwd: root, input, platform: 'node', logLevel: 'warn', plugins: [threads] })
  try {
    const { output } = await build.generate({
      format: 'esm',
      banner: NODE_20,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: { mangle: false, compress: false, codegen: true },
    })
    return Object.fromEntries(output.map((file) => [file.fileName, 'code' in file ? file.code : String(file.source)]))
  } finally {
    await build.close()
  }
}

/** Bundles the files of threads too. They are started by their URLs, so nothing imports them. */
const threads: Plugin = {
  name: 'threads',
  transform: {
    filter: { code: /new Worker\(/ },
    handler(code, id) {
      return code.replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (_, path: string) => {
        const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), path) })
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
      })
    },
  },
}

/** Packs the files as `npm pack` does: below the folder `package`. */
function tarball(files: Record<string, string>, program: string): Promise<Buffer> {
  const archive = pack()
  for (const [path, text] of Object.entries(files)) {
    const mode = path === program ? 0o755 : 0o644
    archive.entry({ name: `package/${path}`, mode, mtime: FILE_TIME }, text)
  }
  archive.finalize()
  return buffer(archive)
}
