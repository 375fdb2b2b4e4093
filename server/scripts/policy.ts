import type { ErrorCode } from '../errors.ts'
import type { Script } from '../lace/ast.ts'
import type { TemplateRef } from '../lace/interpolation.ts'
import { referencesOf, staticTarget } from '../lace/references.ts'
import { smallestGapMinutes } from '../schedule/cron.ts'
import { MASK } from '../schemas/variables.ts'
import { type BlockReason, checkTarget } from './target-addresses.ts'
import { SCRIPT_SCOPES, type VariableScopes } from './variable-scopes.ts'
import { isTrusted, type Trust } from './verified-domains.ts'

// What a script may target, from its syntax tree alone: nothing is resolved by DNS here. The worker holds every run
// against the restrictions of unverified domains anew, and asks again of every address before it dials.

/** Why a script may not be saved, switched on or run. */
export type Refusal = { code: ErrorCode; details: { field: string; reason: string } & Record<string, unknown> }

/** The most calls of a script that targets an unverified domain. */
const UNVERIFIED_CALLS_MAX = 3
/** The shortest interval of a schedule whose script targets an unverified domain. */
const UNVERIFIED_GAP_MINUTES = 5

/** A scheme that is written out and is not http, whatever follows it. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i

/** Where one call goes. */
export type Target = {
  /** Whether no restriction of unverified domains applies to it. */
  isTrusted: boolean
  /** The host as it may be shown and kept; null when only a run knows it. */
  shownHost: string | null
}

/** `isActive`: the service is on, or is to be. */
type TargetContext = { scopes: VariableScopes; trust: Trust; isActive: boolean }

/**
 * Where the calls of a script go, as far as that is known, and the `blocked_probe_target` of the first that may go
 * nowhere. A host that depends on run variables is no one's own; nor is one that depends on a variable without a value,
 * except that while the service is off it is left to be judged when it is switched on.
 */
export function findTargets(ast: Script, given: TargetContext): { targets: Target[]; blocked: Refusal | null } {
  const { scopes, trust } = given
  const targets: Target[] = []
  let blocked: Refusal | null = null
  for (const [callIndex, { url }] of ast.calls.entries()) {
    const target = staticTarget(url, (ref) => variableAsString(scopes, ref), SCRIPT_SCOPES)
    if (target.kind !== 'known') {
      if (OTHER_SCHEME.test(url)) blocked ??= block(callIndex, 'scheme')
      else if (target.kind !== 'missing' || given.isActive)
        targets.push({ isTrusted: trust.trustsAll, shownHost: null })
      continue
    }
    const { verdict, host, reason } = checkTarget(target.url, trust.allowedNetworks)
    if (verdict === 'blocked' || host === null) {
      blocked ??= block(callIndex, reason ?? 'not_a_url')
      continue
    }
    const isOwn = isTrusted(host, trust)
    const hiddenHost = isOwn ? null : MASK
    targets.push({ isTrusted: isOwn, shownHost: dependsOnSecret(url, host, scopes) ? hiddenHost : host })
  }
  return { targets, blocked }
}

/**
 * Which restriction of unverified domains a script breaks: `unverified_domain_call_limit`, `unverified_domain_includes`
 * or `unverified_domain_interval`.
 */
export function findViolation(ast: Script, targets: Target[], schedule: string): Refusal | null {
  if (targets.every((target) => target.isTrusted)) return null
  const hosts = unverifiedHosts(targets)
  if (ast.calls.length > UNVERIFIED_CALLS_MAX) {
    return refusal('unverified_domain_call_limit', {
      reason: `a script that targets an unverified domain makes at most ${UNVERIFIED_CALLS_MAX} calls`,
      hosts,
      max: UNVERIFIED_CALLS_MAX,
    })
  }
  if (referencesOf(ast, SCRIPT_SCOPES).usesIncludes) {
    const reason = 'a script that targets an unverified domain does not use includes'
    return refusal('unverified_domain_includes', { reason, hosts })
  }
  return findIntervalViolation(targets, schedule)
}

/** `unverified_domain_interval`, where it holds. */
export function findIntervalViolation(targets: Target[], schedule: string): Refusal | null {
  const gapMinutes = smallestGapMinutes(schedule)
  if (gapMinutes >= UNVERIFIED_GAP_MINUTES || targets.every((target) => target.isTrusted)) return null
  return {
    code: 'unverified_domain_interval',
    details: {
      field: 'schedule',
      reason: `an unverified domain is probed every ${UNVERIFIED_GAP_MINUTES} minutes at most, not after ${gapMinutes}`,
      hosts: unverifiedHosts(targets),
    },
  }
}

/** Whether a script would break a restriction if none of its targets were the organization's own. */
export function dependsOnTrust(ast: Script, schedule: string): boolean {
  return findViolation(ast, [{ isTrusted: false, shownHost: null }], schedule) !== null
}

function unverifiedHosts(targets: Target[]): string[] {
  return [...new Set(targets.flatMap((target) => (target.isTrusted ? [] : (target.shownHost ?? []))))]
}

function refusal(code: ErrorCode, details: { reason: string } & Record<string, unknown>): Refusal {
  return { code, details: { field: 'script', ...details } }
}

/** What is wrong with a URL, as the end of a sentence about it. */
export const BLOCK_REASON_TEXTS: Record<BlockReason, string> = {
  not_a_url: 'is not a URL',
  scheme: 'is neither http nor https',
  userinfo: 'has a user or a password in it',
  port: 'has a port that other protocols use',
  internal_name: 'has a name that is internal to a network',
  address: 'has an address that is not public',
}

/** The sentence counts calls from 1, as a reader does. The URL itself may hold a secret. */
function block(callIndex: number, reason: BlockReason): Refusal {
  return refusal('blocked_probe_target', {
    callIndex,
    reason: `the URL of call ${callIndex + 1} ${BLOCK_REASON_TEXTS[reason]}`,
  })
}

/** The text of a stored or computed variable; null when it has none. */
export function variableAsString(scopes: VariableScopes, ref: Pick<TemplateRef, 'name' | 'path'>): string | null {
  const key = keyOf(ref)
  const value = key === null ? null : (scopes.values[ref.name as 's']?.[key] ?? null)
  return value === null ? null : String(value)
}

function keyOf({ path: [key, ...rest] }: Pick<TemplateRef, 'path'>): string | null {
  return key?.type === 'field' && rest.length === 0 ? key.name : null
}

/** Whether the host would be another if the secrets in the URL were. */
export function dependsOnSecret(url: string, host: string, scopes: VariableScopes): boolean {
  if (scopes.secrets.length === 0) return false
  const hidden = (ref: TemplateRef) =>
    scopes.isSecret(ref.name, keyOf(ref) ?? '') ? 'x' : variableAsString(scopes, ref)
  const target = staticTarget(url, hidden, SCRIPT_SCOPES)
  return target.kind !== 'known' || checkTarget(target.url, []).host !== host
}
