import type { ServerResponse } from 'node:http'
import { type HttpTarget, readAll, startHttpTarget } from './http-target.ts'

type Value = {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: unknown
}
type KeyValue = { key: string; value: Value }

export type ReceivedSpan = {
  service: string
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: number
  startMs: number
  endMs: number
  attributes: Record<string, unknown>
  isError: boolean
  message: string | undefined
}

export type ReceivedLog = {
  body: string
  severity: string
  traceId: string | null
  attributes: Record<string, unknown>
}

/** `hang` never responds; `refuse` responds with 503. */
export type ReceiverMode = 'accept' | 'refuse' | 'hang'

export type OtlpReceiver = {
  url: string
  spans: ReceivedSpan[]
  logs: ReceivedLog[]
  /** All that was received, as it came: its path, content type, headers and bytes. */
  requests: { path: string; contentType: string; headers: Record<string, unknown>; body: Buffer }[]
  /** The responses of the requests that hang are sent when the mode changes. */
  setMode: (mode: ReceiverMode) => void
  close: () => Promise<void>
}

/** Starts a receiver of OTLP over HTTP. It decodes JSON; of protobuf it keeps the bytes. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  let mode: ReceiverMode = 'accept'
  const hanging = new Set<ServerResponse>()
  const spans: ReceivedSpan[] = []
  const logs: ReceivedLog[] = []
  const requests: OtlpReceiver['requests'] = []
  const target: HttpTarget = await startHttpTarget(async (request, response) => {
    const body = await readAll(request)
    if (mode === 'hang') return void hanging.add(response)
    if (mode === 'refuse') return void response.writeHead(503).end()
    const contentType = String(request.headers['content-type'])
    requests.push({ path: request.url ?? '', contentType, headers: { ...request.headers }, body })
    if (contentType === 'application/json') {
      const message = JSON.parse(body.toString())
      spans.push(...spansOf(message))
      logs.push(...logsOf(message))
    }
    response.writeHead(200, { 'content-type': contentType }).end(contentType === 'application/json' ? '{}' : '')
  })
  return {
    url: `http://127.0.0.1:${target.port}`,
    spans,
    logs,
    requests,
    setMode(next) {
      mode = next
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    close: target.close,
  }
}

type Scoped<Name extends string> = { scope: unknown } & { [name in Name]: Record<string, unknown>[] }
type Message = {
  resourceSpans?: { resource: { attributes: KeyValue[] }; scopeSpans: Scoped<'spans'>[] }[]
  resourceLogs?: { scopeLogs: Scoped<'logRecords'>[] }[]
}

function spansOf({ resourceSpans = [] }: Message): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        traceId: String(span.traceId),
        spanId: String(span.spanId),
        parentSpanId: span.parentSpanId ? String(span.parentSpanId) : null,
        name: String(span.name),
        kind: Number(span.kind),
        startMs: Number(BigInt(String(span.startTimeUnixNano)) / 1_000n) / 1_000,
        endMs: Number(BigInt(String(span.endTimeUnixNano)) / 1_000n) / 1_000,
        attributes: valuesOf(span.attributes as KeyValue[]),
        isError: (span.status as { code?: number }).code === 2,
        message: (span.status as { message?: string }).message,
      })),
  )
}

function logsOf({ resourceLogs = [] }: Message): ReceivedLog[] {
  return resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs
      .flatMap(({ logRecords }) => logRecords)
      .map((record) => ({
        body: String((record.body as Value).stringValue),
        severity: String(record.severityText),
        traceId: record.traceId ? String(record.traceId) : null,
        attributes: valuesOf(record.attributes as KeyValue[]),
      })),
  )
}

function valuesOf(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.boolValue ??
        (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  )
}
