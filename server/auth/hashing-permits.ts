import { ApiError } from '../errors.ts'

// Each hash holds 19 MiB and a core, so a flood of sign-ins must queue, and not for long. One gate per process, held on
// globalThis because Next's bundle has its own copy of this module.

const SLOTS = 2
const WAIT_MS = 4_000

type Gate = { running: number; waiting: (() => void)[] }

const key = Symbol.for('soundline.hashing')
const holder = globalThis as { [key]?: Gate }
holder[key] ??= { running: 0, waiting: [] }
const gate = holder[key]

/**
 * Runs `work` when one of the two slots is free. What must not be overtaken by a parallel attempt, such as counting a
 * failure, belongs inside.
 * @throws ApiError `busy` when none came free within four seconds
 */
export async function withHashingPermit<T>(work: () => Promise<T>): Promise<T> {
  await acquirePermit()
  try {
    return await work()
  } finally {
    // The slot is handed on rather than freed, so a newcomer cannot slip in before those who wait.
    const next = gate.waiting.shift()
    if (next) next()
    else gate.running--
  }
}

function acquirePermit(): Promise<void> {
  if (gate.running < SLOTS) {
    gate.running++
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const admit = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      gate.waiting.splice(gate.waiting.indexOf(admit), 1)
      reject(new ApiError('busy', undefined, { 'Retry-After': '5' }))
    }, WAIT_MS)
    gate.waiting.push(admit)
  })
}
