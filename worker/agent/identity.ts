import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { readDataFile, requireOwner, writeDataFile } from '#server/process/data-folder.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import type { EnrolAnswer } from '#server/schemas/agents/protocol.ts'

// The agent's key pair (Ed25519). It is made here, and its private half never leaves the data folder.

const FILE = 'identity.json'

const Jwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() })
const Stored = z.object({
  key: Jwk,
  /** Null until the agent is enrolled. */
  enrolment: z
    .object({
      /** The address of the installation. */
      url: z.string(),
      keyId: z.string(),
      agent: z.object({ slug: z.string(), label: z.string() }),
      organization: z.object({ name: z.string() }).nullable(),
    })
    .nullable(),
})

export type Identity = {
  privateKey: KeyObject
  /** The raw public key in base64url. */
  publicKey: string
  /** The key that seals the spool. */
  spoolKey: Buffer
  enrolment: z.output<typeof Stored>['enrolment']
}

/**
 * Reads the identity in the folder, and creates it at the first start.
 * @throws StartupError when it cannot be read, or root would start the agent of another user
 */
export function openIdentity(folder: string): Identity {
  requireOwner(folder, FILE, 'AGENT_DATA_DIR')
  return identityOf(read(folder) ?? write(folder, { key: createKey(), enrolment: null }))
}

/** Stores that the server knows the key. */
export function storeEnrolment(folder: string, url: string, { keyId, agent, organization }: EnrolAnswer): Identity {
  const stored = read(folder)
  if (stored === null) throw new StartupError(`AGENT_DATA_DIR: ${FILE} was deleted during the enrolment`)
  return identityOf(write(folder, { ...stored, enrolment: { url, keyId, agent, organization } }))
}

function read(folder: string): z.output<typeof Stored> | null {
  const text = readDataFile(folder, FILE)
  if (text === null) return null
  try {
    return Stored.parse(JSON.parse(text))
  } catch {
    const ways = 'Restore it, or move it away and enrol the agent again with a new token'
    throw new StartupError(`AGENT_DATA_DIR: ${FILE} in ${folder} cannot be read. ${ways}`)
  }
}

function write(folder: string, stored: z.output<typeof Stored>): z.output<typeof Stored> {
  writeDataFile(folder, FILE, JSON.stringify(stored))
  return stored
}

function createKey(): z.output<typeof Jwk> {
  return Jwk.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
}

function identityOf({ key, enrolment }: z.output<typeof Stored>): Identity {
  const seed = Buffer.from(key.d, 'base64url')
  return {
    privateKey: createPrivateKey({ key, format: 'jwk' }),
    publicKey: key.x,
    spoolKey: Buffer.from(hkdfSync('sha256', seed, '', 'soundline-agent spool', 32)),
    enrolment,
  }
}
