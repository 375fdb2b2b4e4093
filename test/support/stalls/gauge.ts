import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into a real process with `--import`, before the program. It measures the longest time that the event loop's
// thread worked without letting a timer run, as CPU time of that thread, so that a busy machine changes nothing.

export type GaugeQuestion = { gauge: 'reset' | 'read' }
export type GaugeAnswer = { gauge: 'answer'; longestMs: number; peakBytes: number }

let longestUs = 0
let lastUs = cpuUs()

// The threads that a program starts inherit the flag; their loops serve nobody.
if (isMainThread && process.send) {
  setInterval(sample, 1).unref()
  process.on('message', (message: Partial<GaugeQuestion>) => {
    if (message.gauge === 'read') sample()
    if (message.gauge === 'reset') reset()
    if (message.gauge) process.send?.({ gauge: 'answer', longestMs: longestUs / 1_000, peakBytes: peakBytes() })
  })
}

function sample(): void {
  const nowUs = cpuUs()
  longestUs = Math.max(longestUs, nowUs - lastUs)
  lastUs = nowUs
}

function reset(): void {
  try {
    // Linux: the peak begins anew at what is resident now.
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Elsewhere the peak is that of the whole life.
  }
  longestUs = 0
  lastUs = cpuUs()
}

function peakBytes(): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024
  } catch {
    return process.resourceUsage().maxRSS * 1_024
  }
}

function cpuUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
