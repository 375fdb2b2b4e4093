import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { armDeadMansSwitch } from '#db/embedded/dead-mans-switch.ts'
import { compressFiles } from './compress-files.ts'
import { childEnvironment } from './environment.ts'
import { lockFolder } from './folder-lock.ts'
import { StartupError } from './lifecycle.ts'
import type { PackageName } from './packages.ts'
import { ROOT } from './program.ts'

/** All files that the build depends on. The packages have parts of the worker. */
const SOURCES = ['app/**/*.*', 'server/**/*.*', 'worker/**/*.*', 'db/**/*.*', '*.mjs', 'package*.json', 'tsconfig.json']
const STAMP = join(ROOT, '.next', 'built-from')
/** Scripts and styles, whose names change with their content. */
export const STATIC_FILES = join(ROOT, '.next', 'static')
const PACKAGE_FILES: Record<PackageName, string> = {
  cli: join(ROOT, '.next', 'cli.tgz'),
  agent: join(ROOT, '.next', 'agent.tgz'),
}
const LINES_SHOWN = 40

/** Returns whether a build exists, even of other sources: enough to serve it. */
export function hasDashboard(): boolean {
  return existsSync(join(ROOT, '.next', 'BUILD_ID'))
}

/** Returns a package that the installation serves, or null without a build. */
export function readPackage(name: PackageName): Promise<Uint8Array | null> {
  return readFile(PACKAGE_FILES[name]).catch(() => null)
}

/** Returns whether the build is of these sources. Reads all of them: 0.1 s. */
export function isDashboardBuilt(): boolean {
  return hasDashboard() && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash()
}

/**
 * Builds the dashboard unless it is built from these sources already. Of several processes one builds, the others wait.
 * `abort` ends a running build.
 * @throws StartupError with the last lines of the build's output when it fails
 */
export async function buildDashboard(report: (progress: string) => void, abort: AbortSignal): Promise<void> {
  if (isDashboardBuilt()) return
  const release = await waitForLock(report, abort)
  try {
    if (isDashboardBuilt()) return
    const hash = sourceHash()
    rmSync(STAMP, { force: true })
    report('building the dashboard: about half a minute, once for each version')
    const startedAt = Date.now()
    const ticking = setInterval(() => report(`still building the dashboard (${seconds(startedAt)} s)`), 20_000)
    try {
      await runBuild(abort)
      await compressFiles(STATIC_FILES)
      // The bundler is loaded only here, because web imports this file too.
      const { writePackage } = await import('./packages.ts')
      await writePackage(ROOT, 'cli', PACKAGE_FILES.cli)
      await writePackage(ROOT, 'agent', PACKAGE_FILES.agent)
    } finally {
      clearInterval(ticking)
    }
    writeFileSync(STAMP, hash)
    report(`the dashboard is built (${seconds(startedAt)} s)`)
  } finally {
    release()
  }
}

async function waitForLock(report: (progress: string) => void, abort: AbortSignal): Promise<() => void> {
  // Next keeps this folder when it empties its own.
  const folder = join(ROOT, '.next', 'cache')
  mkdirSync(folder, { recursive: true })
  for (let isReported = false; ; isReported = true) {
    const release = await lockFolder(folder, 'build')
    if (release) return release
    if (!isReported) report('waiting for another process to build the dashboard')
    await sleep(1_000, undefined, { signal: abort })
  }
}

function runBuild(abort: AbortSignal): Promise<void> {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  const environment = childEnvironment({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', CI: '1' })
  const output: string[] = []
  return new Promise((resolve, reject) => {
    const build = spawn(process.execPath, [next, 'build'], {
      cwd: ROOT,
      env: environment,
      // In its own process group, because it starts processes that would outlive it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const guard = build.pid ? armDeadMansSwitch(-build.pid, [['KILL', 0]]) : null
    // The guard kills the group when this pipe closes.
    const end = () => guard?.stdin?.end()
    abort.addEventListener('abort', end)
    if (abort.aborted) end()
    for (const stream of [build.stdout, build.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
    }
    build.once('error', reject)
    build.once('close', (code) => {
      abort.removeEventListener('abort', end)
      guard?.kill('SIGKILL')
      if (code === 0) return resolve()
      const last = output.join('').trim().split('\n').slice(-LINES_SHOWN)
      reject(new StartupError(`The dashboard cannot be built (next build ended with ${code}):\n${last.join('\n')}`))
    })
  })
}

function sourceHash(): string {
  const hash = createHash('sha256').update(process.version)
  const found = globSync(SOURCES, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = found.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  for (const file of files.filter(isSource).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Types change nothing that is built, and type checks write some of them beside a running product. */
export function isSource(file: string): boolean {
  return !/\.(tsbuildinfo|d\.c?ts)$/.test(file)
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1_000)
}
