// The clock of a server or a database, measured from its responses. It advances with this machine's monotonic clock, so
// that changes of the system's time do not matter.

export type MeasuredClock = {
  /** Milliseconds since 1970 by the server's clock; by this machine's clock until it is measured. */
  now: () => number
  /** Takes the server's time from a response. The times of the exchange are those of `performance.now()`. */
  observe: (serverTime: Date, sentAt: number, receivedAt: number) => void
  /** Milliseconds by which the server's clock is ahead of this machine's; null until it is measured. */
  aheadMs: () => number | null
  /** Returns `now` for a run, in whole milliseconds. Later measurements do not change it, so that its times fit together. */
  forRun: () => () => number
}

type Sample = { base: number; roundTripMs: number }

const SAMPLES_MAX = 8
/** A slower response gives too little precision. */
const ROUND_TRIP_MAX_MS = 10_000
/** A difference that no delay explains: one of the clocks was set, or this machine was suspended. */
const STEP_MS = 1_000

export function createMeasuredClock(): MeasuredClock {
  let samples: Sample[] = []
  // As in NTP: the fastest of the last responses is the most exact.
  const best = () => samples.reduce<Sample | null>((a, b) => (a && a.roundTripMs <= b.roundTripMs ? a : b), null)
  const base = () => best()?.base ?? Date.now() - performance.now()
  return {
    now: () => base() + performance.now(),
    observe(serverTime, sentAt, receivedAt) {
      const roundTripMs = receivedAt - sentAt
      const time = serverTime.getTime()
      if (Number.isNaN(time) || (roundTripMs > ROUND_TRIP_MAX_MS && samples.length > 0)) return
      const sample = { base: time - (sentAt + receivedAt) / 2, roundTripMs }
      const known = best()
      const doubtMs = known ? (known.roundTripMs + roundTripMs) / 2 + STEP_MS : 0
      if (known && Math.abs(known.base - sample.base) > doubtMs) samples = []
      samples = [...samples.slice(1 - SAMPLES_MAX), sample]
    },
    aheadMs: () => (samples.length === 0 ? null : Math.round(base() + performance.now() - Date.now())),
    forRun() {
      const fixed = base()
      return () => Math.round(fixed + performance.now())
    },
  }
}
