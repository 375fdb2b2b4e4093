import type { Script } from '../language/lace/ast.ts'
import type { TemplateRef } from '../language/lace/interpolation.ts'
import { referencesOf, staticTarget } from '../language/lace/references.ts'
import { smallestGapMinutes } from '../schedule/cron.ts'
import type { ErrorCode } from '../schemas/errors/error-table.ts'
import { MASK } from '../schemas/variables.ts'
import { SCRIPT_SCOPES } from './script-scopes.ts'
import { type BlockReason, checkTarget, type TargetCheck } from './target-addresses.ts'
import type { VariableKind, VariableScopes } from './variable-scopes.ts'
import { isTrusted, type Trust } from './verified-domains.ts'

// Checks the targets of a script by its syntax tree, without DNS. The worker checks the restrictions of unverified
// domains again before every run, and the address before every connection.

/** Why a script may not be saved, enabled or run. */
export type Refusal = { code: ErrorCode; details: { field: string; reason: string } & Record<string, unknown> }

/** The maximum of calls in a script that targets an unverified domain. */
const UNVERIFIED_CALLS_MAX = 3
/** The shortest interval of a schedule whose script targets an unverified domain. */
const UNVERIFIED_GAP_MINUTES = 5

/** A literal scheme other than http and https. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i

/** The target of one call. */
export type Target = {
  /** The restrictions of unverified domains do not apply. */
  isTrusted: boolean
  /** The host that may be shown and stored; null when it is known only during a run. */
  shownHost: string | null
}

/**
 * `isActive`: the service is on, or is about to be switched on. `hidden`: the kinds of variables whose values no host may
 * show; secrets when absent.
 */
type TargetContext = { scopes: VariableScopes; trust: Trust; isActive: boolean; hidden?: HiddenKinds }

/** The refusal of the first blocked target, and what blocks it. */
export type Blocked = Refusal & { by: BlockReason }

export type HiddenKinds = readonly VariableKind[]

/**
 * Returns the targets of a script's calls, as far as they are known before a run, and `blocked_probe_target` for the
 * first blocked one. A host that depends on run variables, or on a variable without a value, counts as unverified. While
 * the service is off, a host with a missing variable is left out: it is checked when the service is switched on.
 */
export function findTargets(ast: Script, given: TargetContext): { targets: Target[]; blocked: Blocked | null } {
  const { scopes, trust } = given
  const targets: Target[] = []
  let blocked: Blocked | null = null
  for (const [callIndex, { url }] of ast.calls.entries()) {
    const target = staticTarget(url, (ref) => variableAsString(scopes, ref), SCRIPT_SCOPES)
    if (target.kind !== 'known') {
      if (OTHER_SCHEME.test(url)) blocked ??= block(callIndex, 'scheme')
      else if (target.kind !== 'missing' || given.isActive)
        targets.push({ isTrusted: trust.trustsAll, shownHost: null })
      continue
    }
    const { verdict, host, reason } = checkEverywhere(target.url, trust)
    if (verdict === 'blocked' || host === null) {
      blocked ??= block(callIndex, reason ?? 'not_a_url')
      continue
    }
    const isVerified = isTrusted(host, trust)
    const hiddenHost = isVerified ? null : MASK
    const isHidden = dependsOnHidden(url, host, scopes, given.hidden)
    targets.push({ isTrusted: isVerified, shownHost: isHidden ? hiddenHost : host })
  }
  return { targets, blocked }
}

/** Checks a URL for every place where the script may run: it is blocked if one of them blocks it. */
function checkEverywhere(url: string, { allowedNetworks }: Trust): TargetCheck {
  const checks = allowedNetworks.map((allowed) => checkTarget(url, allowed))
  return checks.find(({ verdict }) => verdict === 'blocked') ?? checks[0] ?? checkTarget(url, [])
}

/**
 * Returns the restriction of unverified domains that a script violates, or null: `unverified_domain_call_limit`,
 * `unverified_domain_includes` or `unverified_domain_interval`.
 */
export function findViolation(ast: Script, targets: Target[], schedule: string): Refusal | null {
  if (targets.every((target) => target.isTrusted)) return null
  const hosts = unverifiedHosts(targets)
  if (ast.calls.length > UNVERIFIED_CALLS_MAX) {
    const reason = `${unverifiedText(hosts)}: at most three calls`
    return refusal('unverified_domain_call_limit', { reason, hosts, max: UNVERIFIED_CALLS_MAX })
  }
  if (referencesOf(ast, SCRIPT_SCOPES).usesIncludes) {
    return refusal('unverified_domain_includes', { reason: `${unverifiedText(hosts)}: no includes check`, hosts })
  }
  return findIntervalViolation(targets, schedule)
}

/** Returns `unverified_domain_interval` when the schedule runs too often for unverified targets, otherwise null. */
export function findIntervalViolation(targets: Target[], schedule: string): Refusal | null {
  const gapMinutes = smallestGapMinutes(schedule)
  if (gapMinutes >= UNVERIFIED_GAP_MINUTES || targets.every((target) => target.isTrusted)) return null
  const hosts = unverifiedHosts(targets)
  const limit = `at most one run every ${UNVERIFIED_GAP_MINUTES} minutes, not every ${gapMinutes}`
  return {
    code: 'unverified_domain_interval',
    details: { field: 'schedule', reason: `${unverifiedText(hosts)}: ${limit}`, hosts },
  }
}

/** A host may be hidden, or known only during a run. */
function unverifiedText(hosts: readonly string[]): string {
  const shown = hosts.filter((host) => host !== MASK)
  if (shown.length === 0) return 'a target of the script is not verified'
  return `${shown.join(', ')} ${shown.length === 1 ? 'is' : 'are'} not verified`
}

/** Returns whether a script would violate a restriction if all its targets were unverified. */
export function dependsOnTrust(ast: Script, schedule: string): boolean {
  return findViolation(ast, [{ isTrusted: false, shownHost: null }], schedule) !== null
}

export function unverifiedHosts(targets: Target[]): string[] {
  return [...new Set(targets.flatMap((target) => (target.isTrusted ? [] : (target.shownHost ?? []))))]
}

function refusal(code: ErrorCode, details: { reason: string } & Record<string, unknown>): Refusal {
  return { code, details: { field: 'script', ...details } }
}

/** The problem with a URL, completing the sentence "the URL …". */
export const BLOCK_REASON_TEXTS: Record<BlockReason, string> = {
  not_a_url: 'is not a URL',
  scheme: 'is neither http nor https',
  userinfo: 'contains a user name or a password',
  port: 'has a port that is reserved for another protocol',
  internal_name: 'has a host name that is internal to a network',
  address: 'has an IP address that is not public',
}

/** The reason counts calls from 1, and leaves the URL out because it may contain a secret. */
function block(callIndex: number, by: BlockReason): Blocked {
  const reason = `the URL of call ${callIndex + 1} ${BLOCK_REASON_TEXTS[by]}`
  return { ...refusal('blocked_probe_target', { callIndex, reason }), by }
}

/** Returns the value of a stored or computed variable as a string, null when it has no value. */
export function variableAsString(scopes: VariableScopes, ref: Pick<TemplateRef, 'name' | 'path'>): string | null {
  const key = keyOf(ref)
  const value = key === null ? null : (scopes.values[ref.name as 's']?.[key] ?? null)
  return value === null ? null : String(value)
}

function keyOf({ path: [key, ...rest] }: Pick<TemplateRef, 'path'>): string | null {
  return key?.type === 'field' && rest.length === 0 ? key.name : null
}

/** Returns whether the URL's host depends on the values of variables of these kinds. */
export function dependsOnHidden(
  url: string,
  host: string,
  scopes: VariableScopes,
  hidden: HiddenKinds = ['secret'],
): boolean {
  const isHidden = (ref: TemplateRef) => {
    const kind = scopes.kindOf(ref.name, keyOf(ref) ?? '')
    return kind !== null && hidden.includes(kind)
  }
  const replaced = (ref: TemplateRef) => (isHidden(ref) ? 'x' : variableAsString(scopes, ref))
  const target = staticTarget(url, replaced, SCRIPT_SCOPES)
  return target.kind !== 'known' || checkTarget(target.url, []).host !== host
}
