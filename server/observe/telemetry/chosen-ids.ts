import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base'

type Ids = { traceId: string; spanId: string }

/** Returns a generator of ids, and a function that makes it return given ids while `start` runs. */
export function createChosenIds(): { generator: IdGenerator; use: <T>(ids: Ids, start: () => T) => T } {
  const random = new RandomIdGenerator()
  let chosen: Ids | null = null
  return {
    generator: {
      generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
      generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
    },
    use(ids, start) {
      chosen = ids
      try {
        return start()
      } finally {
        chosen = null
      }
    },
  }
}
