import { type ChildProcess, fork } from 'node:child_process'
import type { ChildMessage } from '#server/process/lifecycle.ts'
import { PRELOAD } from './preload.ts'

/** `port` is 0 for a process that does not listen. */
export type ReadyProcess = { child: ChildProcess; port: number }

/**
 * Starts a program of the product, or a part of it, as a process. `environment` is all that it gets besides `PATH` and the
 * compile cache. @throws Error when it ends, or says that it cannot start, before it is ready
 */
export async function startReady(
  module: URL,
  environment: Record<string, string>,
  execArgv: string[] = [],
): Promise<ReadyProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = fork(module, [], {
    execPath: process.execPath,
    execArgv: [...PRELOAD, ...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'fatal', NODE_ENV: 'production', ...environment },
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve(message.port ?? 0)
      else reject(new Error(message.reason))
    })
    child.once('exit', (code) => reject(new Error(`${module.pathname} ended with ${code} before it was ready`)))
  })
  return { child, port }
}
