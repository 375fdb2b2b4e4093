import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into a real process with `--import`, before the program. Measures the longest time in which the event loop ran
// no timer. It counts CPU time of the thread, so the load of the machine does not matter.

export type GaugeQuestion = { gauge: 'reset' | 'read' }
export type GaugeAnswer = { gauge: 'answer'; longestMs: number; peakBytes: number }

let longestUs = 0
let lastUs = cpuUs()

// Threads of the program inherit `--import`, but their event loops are not measured.
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
    // Linux: resets the peak to the current resident memory.
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // On other systems the peak is that of the whole process lifetime.
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
