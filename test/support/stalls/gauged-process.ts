import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startReady } from '../processes/ready-process.ts'
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
  const gauge = ['--import', new URL('./gauge.ts', import.meta.url).href]
  const { child, port } = await startReady(new URL(module, import.meta.url), environment, gauge)
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
