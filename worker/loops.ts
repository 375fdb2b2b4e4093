import { type Loop, startLoop } from './loop.ts'
import { LOOK_INTERVAL_MS } from './runs/find-work.ts'
import type { LoopTriggers, Worker } from './worker.ts'

/** Loops that are triggered also tick by themselves: a tick that nothing asked for costs little at this interval. */
const UNTRIGGERED_INTERVAL_MS = 10_000

/** The loops that call a worker's ticks. Until `start`, its triggers do nothing. `stops` ends the loops and drains the worker. */
export function workerLoops(stops: AsyncDisposableStack) {
  const loops = new Map<'look' | 'dispatch' | 'pick' | 'drafts', Loop>()
  const triggers: LoopTriggers = {
    look: () => loops.get('look')?.trigger(),
    dispatch: () => loops.get('dispatch')?.trigger(),
    pick: () => loops.get('pick')?.trigger(),
    pickDrafts: () => loops.get('drafts')?.trigger(),
  }
  const started = (loop: Loop) => {
    stops.defer(loop.stop)
    return loop
  }
  return {
    triggers,
    /** `beat` sends the heartbeat. */
    start(worker: Worker, heartbeatMs: number, beat: () => Promise<void>): void {
      started(startLoop('heartbeat', heartbeatMs, beat))
      stops.defer(worker.drain)
      loops.set('pick', started(startLoop('pick', UNTRIGGERED_INTERVAL_MS, worker.pick)))
      loops.set('drafts', started(startLoop('drafts', UNTRIGGERED_INTERVAL_MS, worker.pickDrafts)))
      loops.set('dispatch', started(startLoop('dispatch', UNTRIGGERED_INTERVAL_MS, worker.dispatch)))
      loops.set('look', started(startLoop('look', LOOK_INTERVAL_MS, worker.look)))
      started(startLoop('reap', heartbeatMs, worker.reap))
    },
  }
}
