import type { Db } from '#db/client.ts'
import type { Reads } from '#db/replica.ts'
import type { BodyReader } from './bodies/reader.ts'
import type { LiveHub } from './live/hub.ts'
import type { RunWaits } from './live/run-waits.ts'
import type { Settings } from './process/settings.ts'
import type { Section } from './schemas/account/sections.ts'
import type { ResolveTxt } from './scripts/domain-proof.ts'
import type { Vault } from './vault.ts'

/** The member of an organization on whose behalf a request runs, through a key or a session. Built for each request. */
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
  /** The highest level of the member and their groups: 0 none, 1 read, 2 write. The owner has 2 in every section. */
  sections: Record<Section, Level>
  groupIds: string[]
  /** The calling key, or null for a session. */
  key: { id: string; name: string; prefix: string; access: 'read' | 'write'; expiresAt: Date | null } | null
  /** The calling session, or null for a key. */
  sessionId: string | null
}

export type Level = 0 | 1 | 2

/** The parts that a process creates once and every operation uses. */
export type Runtime = {
  db: Db
  /**
   * For statistics, lists of results and exports, which may be some seconds old. Never for permissions, keys, or states
   * that a change must apply to at once.
   */
  reads: Reads
  settings: Settings
  vault: Vault
  /** Reads stored response bodies, within limits of time and size. */
  bodies: BodyReader
  /** The live updates of this process. */
  live: LiveHub
  /** The requests of this process that wait for runs. */
  waits: RunWaits
  /** The time by the database's clock, which tests can set. */
  now: () => Date
  /** Resolves TXT records; uses the machine's name servers when absent. */
  resolveTxt?: ResolveTxt
}

/** A browser where the account has signed in since its password or second factor last changed. */
export type Device = { id: string; userId: string; epoch: number }

export type StartedSession = { id: string; userId: string; epoch: number }

/** What a passkey must sign. `sessionId` is that of the member who adds a passkey; null if one is used. */
export type Challenge = { challenge: string; sessionId: string | null; at: Date }

/** What the dashboard adds to a context: its cookies, and the facts about the request that sign-in needs. */
export type SessionPort = {
  /** Sets the session cookie of the response and marks the browser as known to the account; null signs out. */
  setCookie: (session: StartedSession | null) => void
  /** Returns the device cookie of an earlier sign-in with this browser, of any account. */
  device: () => Promise<Device | null>
  /** Sets the cookie with the challenge that this browser is given, or removes it. */
  setChallenge: (challenge: Challenge | null) => void
  /** Returns the challenge that this browser was given in the last minutes. */
  challenge: () => Promise<Challenge | null>
  userAgent: string
  /** The signed-in member who must first enrol a second factor; `actor` is null until then. */
  unenrolled: Actor | null
}

export type Context = Runtime & {
  /** Null only on the dashboard, before sign-in. */
  actor: Actor | null
  /** The client's address, as the front determined it. */
  address: string
  requestId: string
  /** The address at which the caller reaches the dashboard, without a slash at the end, for links in responses. */
  origin: string
  /** Null on the public API. */
  session: SessionPort | null
}

export type ActorContext = Context & { actor: Actor }
