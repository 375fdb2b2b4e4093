import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import type { Clock } from '#server/language/lace/executor/clock.ts'
import type { Transport, TransportRequest, TransportResponse } from '#server/language/lace/transport.ts'
import { EXPIRING_HOST, type Outage, type PlannedService } from './services.ts'

// The targets of the scripts: an answer and its times for each request, without a network. The clock of a run advances by
// these times only.

const STATUS_TEXTS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
const EXPIRES_IN_DAYS = 6

export type Moment = { at: Date; now: Date; agentSlug: string; random: () => number }

export function simulatedTarget(service: PlannedService, moment: Moment): { transport: Transport; clock: Clock } {
  let elapsedMs = 0
  const calls = callsIn(service.script).length
  const outage = service.outages?.find((one) => isDuring(one, moment))
  let index = 0
  return {
    clock: {
      now: () => moment.at.getTime() + elapsedMs,
      elapsed: () => elapsedMs,
      sleep: async (ms) => {
        elapsedMs += ms
      },
    },
    transport: async (request) => {
      const isLast = ++index === calls
      const response = respond(service, request, moment, isLast ? outage : undefined)
      elapsedMs += response.timings.responseTimeMs
      return response
    },
  }
}

function isDuring({ agoMinutes, minutes = agoMinutes + 1 }: Outage, { at, now }: Moment): boolean {
  const began = now.getTime() - agoMinutes * MINUTE_MS
  return at.getTime() >= began && at.getTime() < began + minutes * MINUTE_MS
}

function respond(
  service: PlannedService,
  request: TransportRequest,
  moment: Moment,
  outage: Outage | undefined,
): TransportResponse {
  const { url } = request
  const { status, body } = answerOf(service, { method: request.method, path: url.pathname }, outage)
  const hasTls = url.protocol === 'https:'
  const bytes = Buffer.from(status === 204 ? '' : JSON.stringify(body))
  return {
    status,
    statusText: STATUS_TEXTS[status] ?? '',
    headers: {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      date: moment.at.toUTCString(),
      server: 'envoy',
      'x-request-id': Math.floor(moment.random() * 2 ** 32).toString(16),
    },
    body: bytes,
    sizeBytes: bytes.length,
    timings: timingsOf(service.ms * (outage?.slow ?? 1), hasTls ? 0.17 : 0, moment),
    dns: hasTls
      ? { resolvedIps: ['192.0.2.17', '192.0.2.18'], resolvedIp: '192.0.2.17' }
      : { resolvedIps: [url.hostname], resolvedIp: url.hostname },
    tls: hasTls
      ? {
          protocol: 'TLSv1.3',
          cipher: 'TLS_AES_128_GCM_SHA256',
          alpn: 'http/1.1',
          certificate: certificateOf(url.host, moment),
        }
      : null,
    tlsWarning: null,
  }
}

export type Call = { method: string; path: string }

/** Returns the calls of a script. Their paths may have variables. */
export function callsIn(script: string): Call[] {
  const found = script.matchAll(/^(get|post|put|patch|delete)\("https?:\/\/[^/"]+([^"?]*)/gm)
  return [...found].map(([, method = '', path = '']) => ({ method: method.toUpperCase(), path }))
}

/** Returns what a service answers to a call, in an outage or not. */
export function answerOf(service: PlannedService, call: Call, outage?: Outage): { status: number; body: unknown } {
  const status = outage?.status ?? successOf(call)
  return { status, body: outage?.status ? (outage.body ?? { error: STATUS_TEXTS[status] }) : bodyOf(service, call) }
}

function successOf({ method, path }: Call): number {
  if (method === 'DELETE') return 204
  if (method !== 'POST' || path.endsWith('/token')) return 200
  return path.endsWith('/intake') ? 202 : 201
}

function bodyOf({ bodies = {} }: PlannedService, { path }: Call): unknown {
  return bodies[path.slice(path.lastIndexOf('/') + 1)] ?? { status: 'ok' }
}

function certificateOf(host: string, { now }: Moment) {
  const days = host === EXPIRING_HOST ? EXPIRES_IN_DAYS : 60 + (host.length % 20)
  const until = Math.ceil(now.getTime() / DAY_MS) * DAY_MS + days * DAY_MS
  return {
    subject: { cn: host },
    subjectAltNames: [host],
    issuer: { cn: 'R11' },
    notBefore: new Date(until - 90 * DAY_MS).toISOString(),
    notAfter: new Date(until).toISOString(),
  }
}

/** Responses are slower in the afternoon, farther away, and now and then. */
function timingsOf(ms: number, tls: number, { at, agentSlug, random }: Moment): TransportResponse['timings'] {
  const hour = (at.getTime() % DAY_MS) / HOUR_MS
  const daily = 1 + 0.3 * Math.sin(((hour - 9) / 24) * 2 * Math.PI)
  const noise = Math.exp((random() + random() + random() - 1.5) * 0.5)
  const spike = random() < 0.006 ? 2.5 : 1
  const total = ms * daily * noise * spike * (agentSlug === 'us-east' ? 1.35 : 1)
  const part = (share: number) => (share === 0 ? 0 : Math.max(1, Math.round(total * share)))
  const phases = {
    dnsMs: part(0.03),
    connectMs: part(0.1),
    tlsMs: part(tls),
    ttfbMs: part(0.6),
    transferMs: part(0.1),
  }
  return { ...phases, responseTimeMs: Object.values(phases).reduce((sum, each) => sum + each, 0) }
}
