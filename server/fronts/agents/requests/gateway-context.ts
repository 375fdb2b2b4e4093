import type { BodyStore } from '../../../bodies/body-store.ts'
import type { Runtime } from '../../../context.ts'
import type { createLargeBodyPermits } from '../../../fairness/large-bodies.ts'
import type { Target } from '../../../http/path.ts'
import type { RecordWriter } from '../../../runs/record/writer.ts'
import type { AgentSettings } from '../../../schemas/agents/protocol.ts'
import type { MessageSignature, SignableRequest } from '../../../signatures/message-signature.ts'
import type { AgentFailures } from './agent-failures.ts'
import type { AgentIdentity } from './agent-key.ts'
import type { PollWaits } from './poll-waits.ts'

/** What a process needs once to serve remote agents. */
export type Gateway = {
  runtime: Runtime
  settings: AgentSettings
  waits: PollWaits
  writer: RecordWriter
  /** The store of new bodies. */
  bodies: () => Promise<{ id: string; store: BodyStore }>
  /** Limits the memory of large uploads. */
  largeUploads: ReturnType<typeof createLargeBodyPermits>
  /** Counts the refused requests of addresses and keys. */
  failures: AgentFailures
}

/** A request of an agent. */
export type AgentCall = {
  request: Request
  target: Target
  signable: SignableRequest
  /** The unchecked signature of the request; null when it has none in the profile. */
  signature: MessageSignature | null
  address: string
  requestId: string
  origin: string
  /** The release and protocol that the agent claims. */
  version: string
  protocol: number
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Calls back when the response could not be sent. */
  onLost: (callback: () => void) => void
}

/** A request whose signature is checked. Its body is not read yet. */
export type SignedCall = AgentCall & { agent: AgentIdentity }
