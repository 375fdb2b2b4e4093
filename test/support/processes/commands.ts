import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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
