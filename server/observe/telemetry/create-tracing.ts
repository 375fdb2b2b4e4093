import { AsyncLocalStorage } from 'node:async_hooks'
import type { TracingChannelSubscribers } from 'node:diagnostics_channel'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { ActiveSpan, EndedSpan, SpanOptions, Tracing } from '../../process/tracing.ts'
import { emitLine } from './emit-line.ts'
import type { Exports } from './exports.ts'
import { sqlStateOf, statementAttributes, statementName } from './statements.ts'

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

/** The statements of one request or job that become spans. */
const STATEMENTS_MAX = 500

/** The span that is active in an asynchronous context, and what it shares with the spans above it. */
type Scope = {
  context: Context
  span: Span
  /** The span of the request or job. */
  root: Span
  statements: { left: number }
}

/** A statement of db/connections/connection.ts, with its span. */
export type Statement = { text: string; span?: Span }

/** Creates the spans and log records of this process. */
export function createTracing(exports: Exports): {
  tracing: Tracing
  statements: TracingChannelSubscribers<Statement>
} {
  const { tracer } = exports
  const scopes = new AsyncLocalStorage<Scope>()
  const propagator = new W3CTraceContextPropagator()

  const contextOf = (headers: SpanOptions['headers']): Context =>
    headers ? propagator.extract(ROOT_CONTEXT, headers, HEADER_GETTER) : ROOT_CONTEXT

  const tracing: Tracing = {
    async span(name, options, work) {
      if (!tracer) return work(IGNORED)
      const parent = activeScope(scopes)
      const span = tracer.startSpan(
        name,
        { kind: KINDS[options.kind ?? 'internal'], ...(options.attributes && { attributes: options.attributes }) },
        parent?.context ?? contextOf(options.headers),
      )
      const scope = {
        context: trace.setSpan(parent?.context ?? ROOT_CONTEXT, span),
        span,
        root: parent?.root ?? span,
        statements: parent?.statements ?? { left: STATEMENTS_MAX },
      }
      try {
        return await scopes.run(scope, () => work(activeSpan(span)))
      } catch (error) {
        fail(span, codeOf(error))
        throw error
      } finally {
        span.end()
      }
    },

    setRoute(route) {
      const root = activeScope(scopes)?.root
      if (!root) return
      root.updateName(`${methodOf(root)}${route}`)
      root.setAttribute('http.route', route)
    },

    record(spans) {
      if (tracer) recordSpans(spans, tracer, exports.withIds)
    },

    logLine(line) {
      if (exports.logger) emitLine(exports.logger, line, scopes.getStore()?.context ?? ROOT_CONTEXT)
    },
  }

  const statements: TracingChannelSubscribers<Statement> = {
    start(statement) {
      const scope = activeScope(scopes)
      if (!tracer || !scope?.span.isRecording() || scope.statements.left <= 0) return
      scope.statements.left--
      const name = statementName(statement.text)
      const attributes = statementAttributes(statement.text, name)
      statement.span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, scope.context)
    },
    error({ span, error }) {
      if (span) fail(span, sqlStateOf(error))
    },
    asyncEnd({ span }) {
      span?.end()
    },
    end() {},
    asyncStart() {},
  }
  return { tracing, statements }
}

const IGNORED: ActiveSpan = { set: () => {}, fail: () => {} }

const HEADER_GETTER = {
  keys: (headers: object) => Object.keys(headers),
  get: (headers: object, name: string) => (headers as Record<string, string | string[] | undefined>)[name],
}

/** Returns the active scope. What a request starts and leaves behind, such as a timer, is no part of it. */
function activeScope(scopes: AsyncLocalStorage<Scope>): Scope | null {
  const scope = scopes.getStore()
  if (!scope) return null
  const isSampled = (scope.span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
  return isSampled && !scope.span.isRecording() ? null : scope
}

function activeSpan(span: Span): ActiveSpan {
  return { set: (attributes) => span.setAttributes(attributes), fail: (type) => fail(span, type) }
}

/** The message stays out: it may hold values of the request. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the code of an error of ours, else its class. */
function codeOf(error: unknown): string {
  const { api, code, name } = error as { api?: unknown; code?: unknown; name?: unknown }
  const found = [api, code, name].find((value) => typeof value === 'string' && /^[\w.]{1,64}$/.test(value))
  return (found as string | undefined) ?? 'error'
}

function methodOf(span: Span): string {
  const { attributes } = span as { attributes?: Record<string, unknown> }
  const method = attributes?.['http.request.method']
  return typeof method === 'string' ? `${method} ` : ''
}

type Recorder = Pick<Exports, 'withIds'> & { tracer: NonNullable<Exports['tracer']> }

/** Starts and ends each span at its own times. Children of a span that is not sampled are not recorded. */
function recordSpans(spans: EndedSpan[], tracer: Recorder['tracer'], withIds: Recorder['withIds']): void {
  const contexts = new Map<string, Context>()
  for (const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error } of spans) {
    const parent = parentSpanId === null ? ROOT_CONTEXT : contexts.get(parentSpanId)
    if (!parent) continue
    const options = { kind: KINDS[kind], startTime: startMs, attributes, root: parentSpanId === null }
    const span = withIds({ traceId, spanId }, () => tracer.startSpan(name, options, parent))
    contexts.set(spanId, trace.setSpan(parent, span))
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(endMs)
  }
}
