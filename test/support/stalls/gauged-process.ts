import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ChildMessage } from '#server/process/lifecycle.ts'
import { PRELOAD } from '../processes/preload.ts'
import type { GaugeAnswer, GaugeQuestion } from './gauge.ts'

export type Reading = {
  /** The longest stall of the event loop in CPU milliseconds. */
  longestMs: number
  /** The peak of resident memory. */
  peakBytes: number
}

export type GaugedProcess = {
  /** The port it listens on; 0 if it does not listen. */
  port: number
  reset: () => Promise<Reading>
  read: () => Promise<Reading>
  kill: () => Promise<void>
}

/** Starts one of the product's programs with the gauge. Rejects when it ends before it is ready. */
export async function startGaugedProcess(module: string, environment: Record<string, string>): Promise<GaugedProcess> {
  const child = fork(new URL(module, import.meta.url), [], {
    execPath: process.execPath,
    execArgv: [...PRELOAD, '--import', new URL('./gauge.ts', import.meta.url).href],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', NODE_ENV: 'production', ...environment },
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve(message.port ?? 0)
      else reject(new Error(message.reason))
    })
    child.once('exit', (code) => reject(new Error(`${module} ended with ${code} before it was ready`)))
  })
  return {
    port,
    reset: () => query(child, { gauge: 'reset' }),
    read: () => query(child, { gauge: 'read' }),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function query(child: ChildProcess, question: GaugeQuestion): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the process ended'))
    child.once('exit', ended)
    child.on('message', function heard(message: Partial<GaugeAnswer>) {
      if (message.gauge !== 'answer') return
      child.off('message', heard).off('exit', ended)
      resolve({ longestMs: message.longestMs ?? 0, peakBytes: message.peakBytes ?? 0 })
    })
    child.send(question)
  })
}
