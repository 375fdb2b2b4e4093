import type { Db } from '#db/client.ts'
import type { BodyReader } from './bodies/reader.ts'
import type { Settings } from './process/settings.ts'
import type { Section } from './schemas/account/permissions.ts'
import type { ResolveTxt } from './scripts/domain-proof.ts'
import type { Vault } from './vault.ts'

/** Who acts: a member of one organization, through a key or a session. Built anew for every request. */
export type Actor = {
  organizationId: string
  organizationName: string
  /** IANA zone; the default of maintenance windows and quiet hours. */
  timezone: string
  userId: string
  membershipId: string
  email: string
  displayName: string
  isOwner: boolean
  /** The higher of the member's own and their groups': 0 none, 1 read, 2 write. The owner has 2 everywhere. */
  sections: Record<Section, Level>
  groupIds: string[]
  /** The calling key, or null for a session. */
  key: { id: string; name: string; prefix: string; access: 'read' | 'write'; expiresAt: Date | null } | null
  /** The calling session, or null for a key. */
  sessionId: string | null
}

export type Level = 0 | 1 | 2

/** What a process holds once and every operation may use. */
export type Runtime = {
  db: Db
  settings: Settings
  vault: Vault
  /** Stored response bodies, read within bounds. */
  bodies: BodyReader
  /** The program's clock, so that tests can turn it. */
  now: () => Date
  /** TXT records of a name; the machine's name servers unless given. */
  resolveTxt?: ResolveTxt
}

/** A browser where the account has signed in since its password or second factor last changed. */
export type Device = { id: string; userId: string; epoch: number }

export type StartedSession = { id: string; userId: string; epoch: number }

/** What the dashboard front adds: the cookie it may set, and the raw request facts sign-in needs. */
export type SessionPort = {
  /** Seals the session into a cookie of the answer, and makes the browser known to the account; null signs out. */
  setCookie: (session: StartedSession | null) => void
  /** What the browser's cookie says of an earlier sign-in here, of whichever account. */
  device: () => Promise<Device | null>
  userAgent: string
  /** The signed-in member while they must first enrol a second factor: until then there is no actor. */
  unenrolled: Actor | null
}

export type Context = Runtime & {
  /** Null only on the dashboard front before sign-in. */
  actor: Actor | null
  /** The client's address as the front settled it. */
  address: string
  requestId: string
  /** Null on the public API. */
  session: SessionPort | null
}

export type ActorContext = Context & { actor: Actor }
