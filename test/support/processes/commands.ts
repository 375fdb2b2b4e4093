import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PRELOAD } from './preload.ts'

export type Outcome = { code: number; stdout: string; stderr: string }

/** Runs a program to its end. It gets no input, and only the given environment besides `PATH` and the compile cache. */
export async function runProgram(
  command: string,
  args: string[],
  { cwd, environment }: { cwd?: string; environment: Record<string, string> },
): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, NODE_ENV: 'test' as const, ...environment }
  const ended = promisify(execFile)(command, args, { cwd, env })
  ended.child.stdin?.end()
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as Outcome,
  )
}

/** Runs an operator's command as npm does. */
export function runCommand(file: string, args: string[], environment: Record<string, string>): Promise<Outcome> {
  return runProgram(process.execPath, [...PRELOAD, file, ...args], {
    environment: { LOG_LEVEL: 'fatal', ...environment },
  })
}
