import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { PRELOAD } from './preload.ts'
import { type Process, processTree, waitUntilEnded } from './processes.ts'

// Starts the product's programs as an operator does: real processes on real ports.

export type Program = {
  child: ChildProcess
  /** Returns its output so far, of both streams. */
  output: () => string
  /** Waits for an output. @throws Error with the output so far when the program ends first or the time is over */
  waitForOutput: (text: string | RegExp, limitMs?: number) => Promise<void>
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number | null>
  /** Returns the process and its descendants that are running. */
  processTree: () => Process[]
  /** Sends a signal and waits until the process and its descendants have ended. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const SCRIPTS = {
  start: 'server/commands/start.ts',
  dev: 'server/commands/start.ts --dev',
  web: 'server/commands/web.ts',
  worker: 'worker/main.ts',
  migrate: 'server/commands/migrate.ts',
  demo: 'test/demo/main.ts --days 0.25',
}

/** Settings in the environment of the test run, which programs must not inherit. */
const OPERATOR_SETTINGS =
  /^(PORT|HOST|BASE_URL|DATABASE_URL|DATA_DIR|SECRET_KEYS|SETUP_.*|RATE_LIMIT_.*|NODE_ENV|LOG_LEVEL|VITEST.*|npm_.*)$/

/**
 * Starts a program like `npm run NAME`; with `npm`, by npm itself; with `root`, that of a copy of the project. It is
 * killed when the test ends, unless `keep`.
 */
export function startProgram(
  name: keyof typeof SCRIPTS,
  settings: Record<string, string>,
  options: { keep?: boolean; npm?: boolean; root?: string } = {},
): Program {
  const inherited = Object.entries(process.env).filter(([key]) => !OPERATOR_SETTINGS.test(key))
  const [command, args]: [string, string[]] = options.npm
    ? ['npm', ['run', name]]
    : [process.execPath, [...PRELOAD, ...SCRIPTS[name].split(' ')]]
  const child = spawn(command, args, {
    cwd: options.root ?? ROOT,
    env: { ...Object.fromEntries(inherited), ...settings } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const ownTree = () => (child.pid ? processTree(child.pid) : [])
  const program: Program = {
    child,
    output: () => output,
    ended,
    processTree: ownTree,
    async waitForOutput(text, limitMs = 400_000) {
      const isSaid = () => (typeof text === 'string' ? output.includes(text) : text.test(output))
      for (const until = Date.now() + limitMs; Date.now() < until; await sleep(50)) {
        if (isSaid()) return
        if (child.exitCode !== null || child.signalCode !== null) break
      }
      throw new Error(`${name} did not print ${text}:\n${output}`)
    },
    async stop(signal = 'SIGTERM') {
      const all = ownTree()
      child.kill(signal)
      const code = await ended
      await waitUntilEnded(all)
      return code
    },
  }
  if (!options.keep) onTestFinished(() => killLeftovers([program]))
  return program
}

/** Kills what is still running of these programs. */
export function killLeftovers(programs: Program[]): void {
  for (const program of programs) {
    for (const { pid } of program.processTree().reverse()) kill(pid)
  }
}

/** Kills a process with SIGKILL; it may already have ended. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns the process whose command line contains `text`. @throws Error when there is none */
export function findProcess(family: Process[], text: string): Process {
  const found = family.find(({ command }) => command.includes(text))
  if (!found) throw new Error(`No process with ${text} in ${JSON.stringify(family, null, 1)}`)
  return found
}

/** Returns the absolute path of a project file. */
export function projectFile(path: string): string {
  return join(ROOT, path)
}
