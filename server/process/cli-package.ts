import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'
import { pack } from 'tar-stream'

// The package `soundline`: the command line and everything it needs in a few files, so that npm installs it without a
// registry.

/** The entries, by their paths in the package. They are those of the sources, so relative paths hold in both. */
const ENTRIES = { 'server/cli/main': 'server/cli/main.ts', 'worker/cli/main': 'worker/cli/main.ts' }
/** The time of every file, so that the same sources give the same bytes. */
const FILE_TIME = new Date('2000-01-01T00:00:00Z')

/** What Node 20 has not, and the language uses. */
const NODE_20 = [
  'URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);',
  'process.threadCpuUsage ??= (previous) => process.cpuUsage(previous);',
].join('')

/** Bundles the command line of the program in folder `root`, and writes the package to the file `target`. */
export async function writeCliPackage(root: string, target: string): Promise<void> {
  const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: 'soundline',
    version,
    description: 'The command line of Soundline.',
    license,
    type: 'module',
    bin: { soundline: 'server/cli/main.js' },
    engines: { node: '>=20' },
  }
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...(await bundle(root)) }
  // Another process may read it meanwhile.
  await writeFile(`${target}.new`, gzipSync(await tarball(files), { level: 9 }))
  await rename(`${target}.new`, target)
}

/** Returns the files of the bundle by their paths. */
async function bundle(root: string): Promise<Record<string, string>> {
  const build = await rolldown({ cwd: root, input: ENTRIES, platform: 'node', logLevel: 'warn', plugins: [threads] })
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
function tarball(files: Record<string, string>): Promise<Buffer> {
  const archive = pack()
  for (const [path, text] of Object.entries(files)) {
    const mode = path === 'server/cli/main.js' ? 0o755 : 0o644
    archive.entry({ name: `package/${path}`, mode, mtime: FILE_TIME }, text)
  }
  archive.finalize()
  return buffer(archive)
}
