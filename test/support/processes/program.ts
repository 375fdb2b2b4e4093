import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { ROOT } from '../code/sources.ts'
import { type Process, processTree, waitUntilEnded } from './processes.ts'

// The product's own programs as a person at a terminal starts them: real processes, real ports.

export type Program = {
  child: ChildProcess
  /** All it has written so far, both streams. */
  output: () => string
  /** Waits for a line. @throws Error with the output when the program ends before, or is too slow */
  waitForOutput: (text: string | RegExp, limitMs?: number) => Promise<void>
  /** The exit code, once it has ended. */
  ended: Promise<number | null>
  /** Those processes it started that have not ended. */
  processTree: () => Process[]
  /** Sends a signal and waits for the end of it and of all it started. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const SCRIPTS = {
  start: 'server/commands/start.ts',
  web: 'server/commands/web.ts',
  worker: 'worker/main.ts',
  migrate: 'server/commands/migrate.ts',
}

/** Settings of whoever runs the tests, which are not the tests' own. */
const OPERATOR_SETTINGS =
  /^(PORT|HOST|BASE_URL|DATABASE_URL|DATA_DIR|SECRET_KEYS|SETUP_.*|RATE_LIMIT_.*|NODE_ENV|LOG_LEVEL|VITEST.*|npm_.*)$/

const started = new Set<Program>()

/** As `npm run <name>` does, and by it with `npm`. What a failing test leaves running is killed, unless `keep`. */
export function startProgram(
  name: keyof typeof SCRIPTS,
  settings: Record<string, string>,
  options: { keep?: boolean; npm?: boolean } = {},
): Program {
  const inherited = Object.entries(process.env).filter(([key]) => !OPERATOR_SETTINGS.test(key))
  const [command, args]: [string, string[]] = options.npm
    ? ['npm', ['run', name]]
    : [process.execPath, ['--import', './server/commands/check-node.mjs', SCRIPTS[name]]]
  const child = spawn(command, args, {
    cwd: ROOT,
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
      throw new Error(`${name} did not say ${text}:\n${output}`)
    },
    async stop(signal = 'SIGTERM') {
      const all = ownTree()
      child.kill(signal)
      const code = await ended
      await waitUntilEnded(all)
      started.delete(program)
      return code
    },
  }
  if (!options.keep) started.add(program)
  return program
}

/** Kills what tests have left. */
export async function killLeftovers(programs: Iterable<Program> = started): Promise<void> {
  for (const program of programs) {
    for (const { pid } of program.processTree().reverse()) kill(pid)
    started.delete(program)
  }
}

afterEach(() => killLeftovers())

/** SIGKILL. Someone who has ended in the meantime is no matter. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The process of the family whose command line holds `text`. */
export function findProcess(family: Process[], text: string): Process {
  const found = family.find(({ command }) => command.includes(text))
  if (!found) throw new Error(`No process with ${text} in ${JSON.stringify(family, null, 1)}`)
  return found
}

/** A path of the project. */
export function projectFile(path: string): string {
  return join(ROOT, path)
}
