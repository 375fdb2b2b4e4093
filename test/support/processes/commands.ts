import { execFile } from 'node:child_process'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { PRELOAD } from './preload.ts'

export type Outcome = { code: number; stdout: string; stderr: string }

/** Runs an operator's command as npm does, with only the given environment. */
export function runCommand(file: string, args: string[], environment: Record<string, string>): Promise<Outcome> {
  return promisify(execFile)(process.execPath, [...PRELOAD, file, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: 'fatal',
      NODE_ENV: 'test',
      ...environment,
    },
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as Outcome,
  )
}

let calls = 0
/** A command may listen to them. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs the same in this process, where another test of the command uses `runCommand`: a tenth of its processor time. */
export async function callCommand(file: string, args: string[], environment: Record<string, string>): Promise<Outcome> {
  using output = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  using errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { argv, env } = process
  const before = SIGNALS.map((name) => process.listeners(name))
  process.argv = [process.execPath, file, ...args]
  process.env = { PATH: env.PATH, LOG_LEVEL: 'fatal', NODE_ENV: 'test', ...environment }
  const hooks = loadAnew(`?call=${++calls}`)
  try {
    await import(`${pathToFileURL(join(ROOT, file)).href}?call=${calls}`)
    const text = ({ mock }: typeof output) => mock.calls.map(([line]) => `${line}\n`).join('')
    return { code: Number(process.exitCode ?? 0), stdout: text(output), stderr: text(errors) }
  } finally {
    hooks.deregister()
    for (const [i, name] of SIGNALS.entries()) {
      for (const listener of process.listeners(name)) if (!before[i]?.includes(listener)) process.off(name, listener)
    }
    Object.assign(process, { argv, env, exitCode: undefined })
  }
}

/** Commands, and what reads the settings of a process once, are loaded again by what has the same query. */
function loadAnew(query: string) {
  const folders = ['commands', 'process'].map((name) => pathToFileURL(join(ROOT, 'server', name)).href)
  return registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isOfCall = context.parentURL?.endsWith(query) && folders.some((folder) => found.url.startsWith(folder))
      return isOfCall ? { ...found, url: `${found.url}${query}` } : found
    },
  })
}
