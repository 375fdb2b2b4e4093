import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// AES-256-GCM. A sealed value is bound to a context (purpose, organization, row): copied to another row, organization or
// purpose, it does not open. Layout: version, key id length, key id, nonce 12, tag 16, ciphertext.

const VERSION = 1
const NONCE = 12
const TAG = 16

export type SecretKey = { id: string; secret: string }

export type Vault = {
  /** Seals with the newest key. Only the same `context` opens the value. */
  seal: (plain: string, ...context: VaultContext) => Buffer
  /** @throws Error when the value was tampered with, belongs to another context, or its key is missing */
  open: (sealed: Buffer, ...context: VaultContext) => string
  /** Returns the id of the key that a value is sealed with. */
  keyOf: (sealed: Buffer) => string
  /** Returns the bytes that every value sealed with this key begins with, and no other value does. */
  headerOf: (keyId: string) => Buffer
  /** The id of the newest key, with which rotation seals everything. */
  readonly newestKey: string
  /** Derives 32 bytes from each secret, newest first, for another purpose such as sealing cookies. */
  derive: (purpose: string) => { id: string; key: Buffer }[]
}

export type VaultPurpose = 'variable' | 'webhook' | 'totp' | 'delivery' | 'run' | 'answer' | 'receipt'
export type VaultContext = [purpose: VaultPurpose, owner: string, row: string]

export function createVault(keys: SecretKey[]): Vault {
  const newest = keys[0]
  if (!newest) throw new Error('The vault needs at least one key')
  const derived = new Map(keys.map((key) => [key.id, derive(key.secret, 'vault')]))

  return {
    newestKey: newest.id,
    seal(plain, ...context) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', derived.get(newest.id) as Buffer, nonce)
      const header = headerOf(newest.id)
      cipher.setAAD(associated(header, context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, ...context) {
      const id = keyOf(sealed)
      const key = derived.get(id)
      if (!key) throw new Error(`The secret key "${id}" is not among SECRET_KEYS`)
      const start = 2 + Buffer.byteLength(id)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(start, start + NONCE), {
        authTagLength: TAG,
      })
      decipher.setAAD(associated(sealed.subarray(0, start), context))
      decipher.setAuthTag(sealed.subarray(start + NONCE, start + NONCE + TAG))
      return decipher.update(sealed.subarray(start + NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
    },
    keyOf,
    headerOf,
    derive: (purpose) => keys.map((key) => ({ id: key.id, key: derive(key.secret, purpose) })),
  }
}

function keyOf(sealed: Buffer): string {
  if (sealed.length < 2 + (sealed[1] ?? 0) + NONCE + TAG) throw new Error('Not a sealed value')
  return keyIdOf(sealed)
}

/** Returns the id of the key of a sealed value, of which the header is enough. */
export function keyIdOf(head: Buffer): string {
  const length = head[1]
  if (head[0] !== VERSION || length === undefined || head.length < 2 + length) throw new Error('Not a sealed value')
  return head.subarray(2, 2 + length).toString()
}

function headerOf(keyId: string): Buffer {
  const id = Buffer.from(keyId)
  return Buffer.concat([Buffer.from([VERSION, id.length]), id])
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'soundline', purpose, 32))
}

function associated(header: Buffer, context: VaultContext): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(context))])
}
