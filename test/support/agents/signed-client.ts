import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import type { AgentGateway } from '#server/fronts/agents/gateway.ts'
import { AGENT_HEADER, AGENT_PATH, PROTOCOL, SIGNED_COMPONENTS } from '#server/schemas/agents/protocol.ts'

// A client of the gateway that signs requests with a library, and can forge every part of them.

export type AgentKeys = { privateKey: KeyObject; publicKey: string; keyId: string }

/** What a request sends. `signedBody` and `signedPath` are what the signature covers instead. */
export type Forgery = {
  method?: string
  query?: string
  body?: Buffer
  signedBody?: Buffer
  signedMethod?: string
  signedPath?: string
  signedQuery?: string
  headers?: Record<string, string>
  components?: readonly string[]
  created?: Date
  nonce?: string
  keyId?: string
  alg?: string
  privateKey?: KeyObject
  contentType?: string | null
  protocol?: number
  address?: string
  /** Changes the headers after they are signed. */
  change?: (headers: Record<string, string>) => void
  onLost?: (callback: () => void) => void
}

export type Reply<T = Record<string, unknown>> = { status: number; body: T; headers: Headers }

export function createKeys(): AgentKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'jwk' }).x ?? ''
  return { privateKey, publicKey: raw, keyId: raw }
}

/** Returns the headers of a signed request with this body. */
export async function signedHeaders(
  keys: AgentKeys,
  name: string,
  body: Buffer,
  forgery: Forgery = {},
): Promise<Record<string, string>> {
  const digest = createHash('sha256')
    .update(forgery.signedBody ?? body)
    .digest('base64')
  const search = (query: string | undefined) => (query ? `?${query}` : '')
  const contentType = forgery.contentType === undefined ? 'application/json' : forgery.contentType
  const given: Record<string, string> = {
    ...(contentType !== null && { 'content-type': contentType }),
    'content-digest': `sha-256=:${digest}:`,
    [AGENT_HEADER]: `0.4.50/${forgery.protocol ?? PROTOCOL}`,
    ...forgery.headers,
  }
  const signed = await httpbis.signMessage(
    {
      key: {
        id: forgery.keyId ?? keys.keyId,
        alg: (forgery.alg ?? 'ed25519') as 'ed25519',
        sign: async (data) => sign(null, data, forgery.privateKey ?? keys.privateKey),
      },
      fields: [...(forgery.components ?? SIGNED_COMPONENTS)],
      params: ['created', 'nonce', 'keyid', 'alg'],
      paramValues: {
        created: forgery.created ?? new Date(),
        nonce: forgery.nonce ?? randomBytes(16).toString('base64url'),
      },
    },
    {
      method: forgery.signedMethod ?? 'POST',
      url: `http://localhost${forgery.signedPath ?? `${AGENT_PATH}/${name}`}${search(forgery.signedQuery ?? forgery.query)}`,
      headers: given,
    },
  )
  const headers = { ...signed.headers } as Record<string, string>
  forgery.change?.(headers)
  return headers
}

/** Sends a signed request to the gateway, in process. */
export async function sendSigned<T = Record<string, unknown>>(
  gateway: AgentGateway,
  keys: AgentKeys,
  name: string,
  message: unknown,
  forgery: Forgery = {},
): Promise<Reply<T>> {
  const body = forgery.body ?? Buffer.from(JSON.stringify(message))
  const headers = await signedHeaders(keys, name, body, forgery)
  const method = forgery.method ?? 'POST'
  const request = new Request(`http://localhost${AGENT_PATH}/${name}${forgery.query ? `?${forgery.query}` : ''}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: body as BodyInit }),
  })
  const response = await gateway(request, {
    address: forgery.address ?? '192.0.2.1',
    ...(forgery.onLost && { onLost: forgery.onLost }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T, headers: response.headers }
}

let addresses = 0

/** Returns an address that no test used: failures and enrolments are limited per address. */
export function nextAddress(): string {
  addresses++
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}

export type SignedClient = {
  keys: AgentKeys
  instance: string
  send: <T = Record<string, unknown>>(name: string, message: unknown, forgery?: Forgery) => Promise<Reply<T>>
}

/** Enrols a process of an agent, and returns its client. */
export async function enrolClient(gateway: AgentGateway, token: string): Promise<SignedClient> {
  const keys = createKeys()
  const message = { token, publicKey: keys.publicKey, name: 'probe-1', version: '0.4.50', protocol: PROTOCOL }
  const { status, body } = await sendSigned<{ keyId: string }>(gateway, keys, 'enrol', message, {
    address: nextAddress(),
  })
  if (status !== 200) throw new Error(`The agent was not enrolled: ${status}`)
  const enrolled = { ...keys, keyId: body.keyId }
  return {
    keys: enrolled,
    instance: randomUUID(),
    send: (name, message, forgery) => sendSigned(gateway, enrolled, name, message, forgery),
  }
}
