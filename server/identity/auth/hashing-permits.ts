import { ApiError } from '../../errors.ts'
import { oncePerProcess } from '../../process/once-per-process.ts'

// Each password hash takes 19 MiB and a core, so a flood of sign-ins must queue, and not for long.

const PERMITS = 2
const WAIT_MS = 4_000

type Semaphore = { running: number; waiting: (() => void)[] }

const semaphore = oncePerProcess('hashing', (): Semaphore => ({ running: 0, waiting: [] }))

/**
 * Runs `work` with one of the process's two hashing permits. Work that a parallel attempt must not overtake, such as
 * counting a failure, belongs inside.
 * @throws ApiError `busy` when no permit is free within four seconds
 */
export async function withHashingPermit<T>(work: () => Promise<T>): Promise<T> {
  await acquirePermit()
  try {
    return await work()
  } finally {
    // The permit passes to the next in the queue, so a newcomer cannot overtake it.
    const next = semaphore.waiting.shift()
    if (next) next()
    else semaphore.running--
  }
}

function acquirePermit(): Promise<void> {
  if (semaphore.running < PERMITS) {
    semaphore.running++
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const admit = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      semaphore.waiting.splice(semaphore.waiting.indexOf(admit), 1)
      reject(new ApiError('busy', undefined, { 'Retry-After': '5' }))
    }, WAIT_MS)
    semaphore.waiting.push(admit)
  })
}
