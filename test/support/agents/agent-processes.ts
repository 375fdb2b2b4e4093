import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { PRELOAD } from '../processes/preload.ts'

export type AgentProcess = {
  child: ChildProcess
  /** Returns its output so far, of both streams. */
  output: () => string
  /** Sends a signal and resolves with the exit code. */
  end: (signal: NodeJS.Signals) => Promise<number | null>
  /** Resolves with the exit code when it ends by itself. */
  ended: Promise<number | null>
}

/**
 * Starts remote agents as their operators do, with no setting but their own. They are killed after the test file. `program`
 * is the command with its first arguments; by default, that of `npm run agent`.
 */
export function agentProcesses(program: string[] = [process.execPath, ...PRELOAD, 'worker/agent/main.ts']) {
  const started = new Set<ChildProcess>()
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await Promise.all([...started].map(exitCode))
  })
  return (environment: Record<string, string>): AgentProcess => {
    const [command = '', ...args] = program
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment } as never,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const ended = exitCode(child)
    return {
      child,
      output: () => output,
      ended,
      end(signal) {
        child.kill(signal)
        return ended
      },
    }
  }
}

/** Returns the Node of this machine with the lowest major version that agents support. */
export async function lowestNode(): Promise<string> {
  const folders = [...new Set([...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin'])]
  const found = folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))
  const versions = await Promise.all(found.map(async (file) => ({ file, major: await majorOf(file) })))
  const usable = versions.filter(({ major }) => major >= 20).toSorted((a, b) => a.major - b.major)
  return usable[0]?.file ?? process.execPath
}

async function majorOf(node: string): Promise<number> {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (part) => {
    text += part
  })
  await once(child, 'close')
  return Number(/^v(\d+)/.exec(text)?.[1] ?? 0)
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}
