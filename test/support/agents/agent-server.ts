import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import {
  type Assignment,
  BodyQuery,
  EnrolRequest,
  HeartbeatRequest,
  MINIMUM_PROTOCOL,
  PollRequest,
  ReleaseRequest,
  Upload,
} from '#server/schemas/agents/protocol.ts'
import { readAll, startHttpTarget } from '../targets/http-target.ts'

// The server's side of the agents' protocol with responses that a test chooses: an older or newer server, a broken one,
// an unreachable one. It checks each request as the protocol says.

export type Answer = { status: number; json?: unknown; headers?: Record<string, string> }

export type AgentServer = {
  url: string
  /** Gives these runs to the next polls. */
  assign: (...runs: Assignment[]) => void
  /** Chooses the response to a request; undefined for the usual one. */
  answer: (path: string) => Answer | undefined
  /** Milliseconds by which its clock is ahead of this machine's. */
  aheadMs: number
  enrolments: EnrolRequest[]
  heartbeats: HeartbeatRequest[]
  uploads: Upload[]
  bodies: { query: BodyQuery; contentType: string | undefined; bytes: Buffer }[]
  releases: ReleaseRequest[]
  /** The paths of all requests, also of those with a chosen response. */
  paths: string[]
  close: () => Promise<void>
}

const SETTINGS = { heartbeatSeconds: 0.2, leaseSeconds: 15, runTimeoutMs: 60_000, minimumProtocol: MINIMUM_PROTOCOL }

export async function startAgentServer(): Promise<AgentServer> {
  const keys = new Map<string, string>()
  const waiting: Assignment[] = []
  const nonces = new Set<string>()

  const serve: Record<string, (bytes: Buffer, request: IncomingMessage, url: URL) => Promise<unknown> | unknown> = {
    enrol(bytes) {
      const body = read(EnrolRequest, bytes)
      server.enrolments.push(body)
      const keyId = uuidv7()
      keys.set(keyId, body.publicKey)
      return { keyId, agent: { slug: 'eu', label: 'EU' }, organization: { name: 'Acme' }, settings: SETTINGS }
    },
    heartbeat(bytes) {
      const beat = read(HeartbeatRequest, bytes)
      server.heartbeats.push(beat)
      return { held: beat.held, now: new Date(Date.now() + server.aheadMs).toISOString(), settings: SETTINGS }
    },
    async poll(bytes) {
      const { free } = read(PollRequest, bytes)
      for (let waited = 0; waiting.length === 0 && waited < 20; waited++)
        await new Promise((done) => setTimeout(done, 50))
      return { runs: waiting.splice(0, free) }
    },
    bodies(bytes, request, url) {
      const query = BodyQuery.parse(Object.fromEntries(url.searchParams))
      server.bodies.push({ query, contentType: request.headers['content-type'], bytes })
      return { receipt: `receipt-${query.run}-${query.call}` }
    },
    results(bytes) {
      server.uploads.push(read(Upload, bytes))
      return { stored: true }
    },
    release(bytes) {
      server.releases.push(read(ReleaseRequest, bytes))
      return {}
    },
  }

  const target = await startHttpTarget(async (request, response) => {
    const bytes = await readAll(request)
    const url = new URL(request.url ?? '', server.url)
    const path = url.pathname.replace('/api/agent/v1/', '')
    server.paths.push(path)
    const {
      status,
      json,
      headers = {},
    } = server.answer(path) ?? {
      status: 200,
      json: await serve[path]?.(checked(request, url, bytes), request, url),
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(json ?? {}))
  })

  /** Verifies digest and signature as RFC 9530 and RFC 9421 describe them. Returns the body. */
  const checked = (request: IncomingMessage, url: URL, bytes: Buffer): Buffer => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
    const params = header('signature-input').replace(/^sig=/, '')
    const base = [
      `"@method": POST`,
      `"@path": ${url.pathname}`,
      `"@query": ${url.search || '?'}`,
      `"content-digest": ${digest}`,
      `"soundline-agent": ${header('soundline-agent')}`,
      `"@signature-params": ${params}`,
    ].join('\n')
    const [, nonce = ''] = /;nonce="([^"]+)"/.exec(params) ?? []
    const [, keyId = ''] = /;keyid="([^"]+)"/.exec(params) ?? []
    const [, signature = ''] = /^sig=:(.+):$/.exec(header('signature')) ?? []
    const x = keys.get(keyId) ?? keyId
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (!verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))) throw new Error('wrong signature')
    if (nonces.has(nonce)) throw new Error('replayed')
    nonces.add(nonce)
    return bytes
  }

  const server: AgentServer = {
    url: `http://127.0.0.1:${target.port}`,
    assign: (...runs) => void waiting.push(...runs),
    answer: () => undefined,
    aheadMs: 0,
    enrolments: [],
    heartbeats: [],
    uploads: [],
    bodies: [],
    releases: [],
    paths: [],
    close: target.close,
  }
  return server
}

/** A run of a script that requests `url`. */
export function assignmentOf(url: string, changes: Partial<Assignment> = {}): Assignment {
  const id = uuidv7()
  return {
    id,
    attempt: 1,
    run: { id, cause: 'schedule', hasValues: false },
    organizationId: randomUUID(),
    serviceId: randomUUID(),
    startBy: new Date(Date.now() + 3_600_000 * 24 * 400).toISOString(),
    script: { source: `get("${url}").expect(status: 200)`, version: 1 },
    variables: { values: { o: {}, w: {}, p: {}, s: {} }, secrets: [], restrictedSecrets: [] },
    prev: null,
    saveBodies: false,
    traceparent: false,
    leaseSeconds: 15,
    clock: { now: new Date().toISOString() },
    ...changes,
  }
}

/** A refusal in the form of the public API's errors. */
export function refusal(status: number, error: string, message: string, details?: object): Answer {
  return { status, json: { error, message, doc: '', ...(details && { details }) } }
}

function read<T extends z.ZodType>(schema: T, bytes: Buffer): z.output<T> {
  return schema.parse(JSON.parse(bytes.toString()))
}

export const TOKEN = `sla_${'A'.repeat(43)}`
