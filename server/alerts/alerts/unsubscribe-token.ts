import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../durations.ts'
import { RESOURCE_TYPES, type ResourceType } from '../../schemas/scopes.ts'
import type { Vault } from '../../vault.ts'

// Signed links in alert mails, which create a silence without a session. The token names the member, the target, its
// time and, by a keyed digest, the recipient's address, so mails need no stored row.

/** What a link silences: a resource with everything beneath it, the events of agents, or all events of the organization. */
export type StopTarget = { type: ResourceType; id: string } | { type: 'agents' | 'organization' }

export type StopLink = { membershipId: string; email: string; target: StopTarget; issuedAt: Date }

/** The content of a link. `isTo` checks an address; the address itself is not in the link. */
export type ReadStopLink = Omit<StopLink, 'email'> & { isTo: (email: string) => boolean }

/** Mails are read late, but a link must not work forever: addresses change hands. */
export const STOP_LINK_DAYS = 180

const VERSION = 1
/** A link has the index of its type: new types come last. */
const TYPES = [...RESOURCE_TYPES, 'agents', 'organization'] as const
const NO_ID = '00000000-0000-0000-0000-000000000000'
const ADDRESS_BYTES = 8
/** Version, type, membership, resource, seconds since 1970, digest of the address. */
const BODY_BYTES = 1 + 1 + 16 + 16 + 4 + ADDRESS_BYTES
const MAC_BYTES = 16

export function signStopLink(vault: Vault, { membershipId, email, target, issuedAt }: StopLink): string {
  const seconds = Buffer.alloc(4)
  seconds.writeUInt32BE(Math.floor(issuedAt.getTime() / 1_000))
  const [address] = addressDigests(vault, email)
  const body = Buffer.concat([
    Buffer.from([VERSION, TYPES.indexOf(target.type)]),
    bytesOf(membershipId),
    bytesOf('id' in target ? target.id : NO_ID),
    seconds,
    address as Buffer,
  ])
  const [newest] = macsOf(vault, body)
  return Buffer.concat([body, newest as Buffer]).toString('base64url')
}

/** Why a link does not work. */
export type StopLinkProblem = 'invalid' | 'expired'

/** Returns what a token says, or why it does not count: not signed with one of our keys, or older than `STOP_LINK_DAYS`. */
export function readStopLink(vault: Vault, token: string, now: Date): ReadStopLink | StopLinkProblem {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return 'invalid'
  const body = bytes.subarray(0, BODY_BYTES)
  const mac = bytes.subarray(BODY_BYTES)
  if (!macsOf(vault, body).some((expected) => timingSafeEqual(expected, mac))) return 'invalid'
  const type = TYPES[body[1] as number]
  if (body[0] !== VERSION || type === undefined) return 'invalid'
  const issuedAt = new Date(body.readUInt32BE(34) * 1_000)
  if (now.getTime() > issuedAt.getTime() + STOP_LINK_DAYS * DAY_MS) return 'expired'
  const target = type === 'agents' || type === 'organization' ? { type } : { type, id: idOf(body.subarray(18, 34)) }
  const address = body.subarray(38)
  const isTo = (email: string) => addressDigests(vault, email).some((expected) => expected.equals(address))
  return { membershipId: idOf(body.subarray(2, 18)), target, issuedAt, isTo }
}

function addressDigests(vault: Vault, email: string): Buffer[] {
  return macsOf(vault, Buffer.from(`address ${email}`)).map((mac) => mac.subarray(0, ADDRESS_BYTES))
}

/** Returns the code by each secret key, the newest first: links signed with an older key work until it is removed. */
function macsOf(vault: Vault, body: Buffer): Buffer[] {
  return vault.derive('unsubscribe').map(({ key }) => {
    return createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
  })
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
