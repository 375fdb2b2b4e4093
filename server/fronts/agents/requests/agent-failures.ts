import { z } from 'zod'
import { createAddressLimiter } from '../../../http/address-rate-limits.ts'
import { addressBucket } from '../../../http/client-address.ts'
import type { ErrorCode } from '../../../schemas/errors/error-table.ts'
import type { MessageSignature } from '../../../signatures/message-signature.ts'

/** Guesses of keys, tokens and signatures. */
const GUESSES: ErrorCode[] = ['invalid_signature', 'enrolment_invalid', 'not_found']
/** Failures of a key that is known: they say nothing about the other agents behind the same address. */
const OF_KEY: ErrorCode[] = ['replayed', 'agent_revoked']
/** How long a key that authenticated is trusted to come from its address. */
const TRUSTED_MS = 300_000
/** Bounds memory: past this many, the oldest are forgotten. */
const TRUSTED_MAX = 10_000

type Caller = { address: string; signature: MessageSignature | null }

export type AgentFailures = {
  /**
   * Called before anything is looked up.
   * @throws ApiError `rate_limited` when the address or the key has failed too often
   */
  check: (call: Caller) => void
  add: (call: Caller, error: ErrorCode) => void
  /** Notes that the key authenticated: for a while, failures of others behind its address do not stop it. */
  trust: (call: Caller) => void
}

/** Counts refused requests per minute: guesses by address, and failures of known keys by address and key. */
export function createAgentFailures(max: number): AgentFailures {
  const limiter = createAddressLimiter(max)
  const trusted = new Map<string, number>()
  const isTrusted = (key: string) => (trusted.get(key) ?? 0) > performance.now()
  return {
    check(call) {
      const key = keyOf(call)
      if (key === null || !isTrusted(key)) limiter.check(call.address)
      if (key !== null) limiter.check(key)
    },
    add(call, error) {
      const key = keyOf(call)
      if (key !== null && (OF_KEY.includes(error) || (GUESSES.includes(error) && isTrusted(key)))) limiter.add(key)
      else if (GUESSES.includes(error)) limiter.add(call.address)
    },
    trust(call) {
      const key = keyOf(call)
      if (key === null) return
      trusted.delete(key)
      trusted.set(key, performance.now() + TRUSTED_MS)
      if (trusted.size > TRUSTED_MAX) trusted.delete(trusted.keys().next().value as string)
    },
  }
}

/** Names the key that a request claims, at its address; null when it claims none. */
function keyOf({ address, signature }: Caller): string | null {
  if (!z.guid().safeParse(signature?.keyId).success) return null
  return `${signature?.keyId} ${addressBucket(address)}`
}
