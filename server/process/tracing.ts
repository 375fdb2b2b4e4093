// Receives the spans and log lines of the program. Without `server/observe/telemetry`, they are dropped.

export type Attributes = Record<string, string | number | boolean>

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

export type SpanOptions = {
  kind?: SpanKind
  attributes?: Attributes
  /** The headers of a request from outside, whose `traceparent` becomes the parent. */
  headers?: Record<string, string | string[] | undefined>
}

/** A span whose work is running. */
export type ActiveSpan = {
  set: (attributes: Attributes) => void
  /** Marks the work as failed. `type` is a code; it must hold no value of a request. */
  fail: (type: string) => void
}

/** A span of work that has ended already, with ids of its own. Times are epoch milliseconds. */
export type EndedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: SpanKind
  startMs: number
  endMs: number
  attributes: Attributes
  /** Why the work failed, without secrets; null when it did not. */
  error: string | null
}

export type Tracing = {
  /** Runs work in a span, a child of the span that is active now. Rejects as the work does. */
  span: <T>(name: string, options: SpanOptions, work: (span: ActiveSpan) => Promise<T>) => Promise<T>
  /** Names the active request by its route, such as `/api/public/v1/services/{id}`. */
  setRoute: (route: string) => void
  /** Records a tree of spans, parents first. */
  record: (spans: EndedSpan[]) => void
  /** Takes a line of the log, a JSON object without secrets. */
  logLine: (line: string) => void
}

// One per process, even where Next bundles a copy of this module.
const GLOBAL_KEY = Symbol.for('soundline.tracing')
const holder = globalThis as { [GLOBAL_KEY]?: Tracing | null }

/** Returns what records spans and log lines; null when OpenTelemetry is off. */
export function currentTracing(): Tracing | null {
  return holder[GLOBAL_KEY] ?? null
}

export function setTracing(tracing: Tracing | null): void {
  holder[GLOBAL_KEY] = tracing
}

const UNTRACED: ActiveSpan = { set: () => {}, fail: () => {} }

/** Runs work in a span; without OpenTelemetry it only runs the work. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: ActiveSpan) => Promise<T>): Promise<T> {
  const tracing = currentTracing()
  return tracing ? tracing.span(name, options, work) : work(UNTRACED)
}
