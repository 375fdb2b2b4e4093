import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import type { CreatedPasskey } from '#server/schemas/account/passkeys.ts'

// An authenticator and the part of a browser that asks it: what a test sends may be wrong in any part.

type Options = { challenge: string; rpId?: string | undefined; rp?: { id?: string | undefined } }
type Wrong = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number }

export type Authenticator = {
  create: (options: Options, wrong?: Wrong) => CreatedPasskey
  sign: (options: Options, wrong?: Wrong) => PasskeyProof
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** Creates an authenticator with one passkey. It counts its uses from 1. */
export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let used = 0
  const client = (type: string, { challenge }: Options, wrong: Wrong) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: false }))
  const authenticatorData = ({ rpId, rp }: Options, wrong: Wrong, flags: number, rest = Buffer.alloc(0)) => {
    const verified = wrong.isVerified === false ? 0 : VERIFIED
    const head = Buffer.alloc(5)
    head.writeUInt8(PRESENT | verified | flags, 0)
    head.writeUInt32BE(wrong.counter ?? ++used, 1)
    return Buffer.concat([sha256(wrong.rpId ?? rpId ?? rp?.id ?? ''), head, rest])
  }
  return {
    create(options, wrong = {}) {
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authenticatorData(options, wrong, HAS_KEY, credential)
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: client('webauthn.create', options, wrong).toString('base64url'),
          attestationObject: withoutAttestation(data).toString('base64url'),
        },
      }
    },
    sign(options, wrong = {}) {
      const clientData = client('webauthn.get', options, wrong)
      const data = authenticatorData(options, wrong, 0)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Returns a key of P-256 in COSE: a CBOR map of type, algorithm, curve, x and y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')])
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, Buffer.from([0x21]), bytes(x), Buffer.from([0x22]), bytes(y)])
}

/** Returns the attestation object of an authenticator that attests nothing, in CBOR. */
function withoutAttestation(data: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
  return Buffer.concat([
    ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), Buffer.from([0x58, data.length]), data],
  ])
}
