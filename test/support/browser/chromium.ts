import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ROOT } from '#server/process/program.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))
/** Not in the run's folder: a file system in memory may forbid to run programs. */
const UNPACKED = join(ROOT, '.test', `chromium-${version}`)

/** Starts a headless Chromium that can reach only the loopback address. */
export async function launchChromium(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-browser-'))
  const browser = await chromium.launch({
    executablePath: await unpackChromium(),
    headless: true,
    env: { ...process.env, FONTCONFIG_FILE: await describeFonts(folder) } as Record<string, string>,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Most pages live for seconds: optimizing their scripts costs more processor time than it saves.
      '--js-flags=--no-opt --no-maglev',
      // Host names do not resolve: only the loopback address can be reached. Passkeys need a name, such as localhost.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
  browser.once('disconnected', () => void rm(folder, { recursive: true, force: true }))
  return browser
}

/**
 * Unpacks the browser's program once, into a folder of the project. The package assumes that an existing file is
 * complete, so it unpacks into its own folder, which is renamed at the end. Several processes may do this at once.
 */
async function unpackChromium(): Promise<string> {
  if (!existsSync(UNPACKED)) {
    mkdirSync(dirname(UNPACKED), { recursive: true })
    const folder = await mkdtemp(`${UNPACKED}-`)
    const { default: packed } = await import('@sparticuz/chromium')
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    try {
      await packed.executablePath()
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    // If another process was first, its folder is used.
    await rename(folder, UNPACKED).catch(() => rm(folder, { recursive: true, force: true }))
  }
  return join(UNPACKED, 'chromium')
}

/**
 * Writes a font configuration with the fonts of the package and of the machine, which may have none. The package has no
 * font of equal widths.
 */
async function describeFonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const folders = [join(UNPACKED, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('')
  const cache = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  const mono = ['DejaVu Sans Mono', 'Liberation Mono'].map((name) => `<family>${name}</family>`).join('')
  const aliases = `<alias><family>monospace</family><prefer>${mono}</prefer></alias>`
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${folders}${cache}${aliases}</fontconfig>`)
  return file
}
