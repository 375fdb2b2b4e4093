import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { ChildMessage } from '#server/process/lifecycle.ts'

/** Starts a program in a child process. `module` is relative to this folder. */
export function startChild(module: string, environment: Record<string, string | undefined>): ChildProcess {
  return fork(new URL(module, import.meta.url), [], {
    env: environment as NodeJS.ProcessEnv,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Waits until a child is ready and returns its port, 0 when it has none. @throws Error when it does not start */
export async function waitForPort(child: ChildProcess): Promise<number> {
  const [message] = (await once(child, 'message')) as [ChildMessage]
  if (message.type !== 'ready') throw new Error(message.reason)
  return message.port ?? 0
}

/** Sends a signal to a child and waits until it has ended. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Returns the id of the child of `parent` that runs `file`. Only on Linux. @throws Error when there is none */
export async function findChild(parent: number, file: string): Promise<number> {
  const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ').map(Number)
  for (const pid of children) {
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(file)) return pid
  }
  throw new Error(`${file} does not run`)
}
