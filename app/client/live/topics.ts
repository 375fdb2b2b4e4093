import { bucketOf, type Topic } from '#server/schemas/live/topics.ts'
import type { Result } from '#server/schemas/results/results.ts'

// Which queries a change makes out of date. Topics are named in server/schemas/live/topics.ts.

/**
 * `fast` kinds of topics are fetched at once. `slow` ones come often and change a query only a little, so they are
 * collected. `write` means every write.
 */
type Rule = {
  fast?: readonly string[]
  slow?: readonly string[]
  /** The query is about the service that its input names: the runs of others do not matter. */
  isOwn?: true
  /** What it returned stays true, whatever changes. */
  isFinal?: (data: never) => boolean
}

const ONE_SERVICE: Rule = { fast: ['run', 'state', 'event', 'write'], isOwn: true }
const SETTINGS: Rule = { fast: ['write'] }

/** By the beginning of a query's path; the longest one counts. */
export const RULES: Record<string, Rule> = {
  '': { fast: ['state', 'event', 'write'], slow: ['run'] },
  'access.': SETTINGS,
  'account.': SETTINGS,
  'account.sessions.': { fast: ['write', 'write.session'] },
  'agents.': { fast: ['event', 'write.agent', 'write.service'] },
  // A run shows that its agent is back, before an alert says so.
  'agents.lost': { fast: ['event', 'write.agent', 'write.service'], slow: ['run'] },
  // Compares all services: read every minute, and not with every run.
  'agents.lone': { fast: ['write.agent', 'write.service'] },
  'alerts.events': { fast: ['event', 'message'] },
  'alerts.preview': ONE_SERVICE,
  'auth.': {},
  'auth.me': { fast: ['write.user', 'write.member', 'write.group', 'write.organization'] },
  'batches.': { fast: ['run', 'write.service'] },
  // Its page polls.
  'drafts.': {},
  'follows.': SETTINGS,
  'groups.': SETTINGS,
  'incidents.': { fast: ['state', 'event', 'message', 'write.incident', 'write.service', 'write.silence'] },
  'maintenances.': SETTINGS,
  'members.': SETTINGS,
  'metrics.service.': ONE_SERVICE,
  'organization.': SETTINGS,
  // The first run that passes raises the question.
  'organization.alertQuestion.': { fast: ['state', 'write'], slow: ['run'] },
  'organization.agents.': { fast: ['event', 'message', 'write.agent'] },
  'organization.agents.services': { fast: ['write.agent', 'write.service'] },
  'organization.webhooks.deliveries.': { fast: ['event', 'message', 'write.webhook'] },
  'results.list': ONE_SERVICE,
  'results.search': ONE_SERVICE,
  'results.neighbours': { slow: ['run'], isOwn: true },
  'results.get': { fast: ['run'], isOwn: true, isFinal: isRechecked },
  // A stored body does not change.
  'results.body': {},
  'services.get': ONE_SERVICE,
  'services.snapshot': ONE_SERVICE,
  'services.agents.': ONE_SERVICE,
  'services.places': SETTINGS,
  'services.runs.': ONE_SERVICE,
  'services.versions.': SETTINGS,
  'schedule.': {},
  'setup.': {},
  'silences.': SETTINGS,
  'status.filters': SETTINGS,
  'status.service': ONE_SERVICE,
  'status.views.': { fast: ['write.view'] },
  'statistics.standing': ONE_SERVICE,
  'statistics.': { fast: ['write.service'], slow: ['run', 'state'], isOwn: true },
  // Its page polls.
  'system.': {},
  // Runs can set variables.
  'variables.': { fast: ['write'], slow: ['run'] },
  'webhooks.': SETTINGS,
}

const PREFIXES = Object.keys(RULES).sort((a, b) => b.length - a.length)

export type Pace = 'fast' | 'slow'

/**
 * Returns how soon a query must be fetched again after changes, or null if they do not affect it. Null topics are all.
 * `data` is what the query has; undefined before its first response.
 */
export function paceOf(queryKey: readonly unknown[], topics: readonly Topic[] | null, data?: unknown): Pace | null {
  const [path, input] = queryKey
  if (typeof path !== 'string') return null
  if (topics === null) return 'fast'
  const rule = RULES[PREFIXES.find((prefix) => path.startsWith(prefix)) ?? ''] as Rule
  if (data !== undefined && rule.isFinal?.(data as never)) return null
  const buckets = rule.isOwn ? bucketsOf(input) : null
  const isAffected = (kinds: readonly string[] = []) =>
    topics.some((topic) => kinds.some((kind) => isOfKind(topic, kind, buckets)))
  return isAffected(rule.fast) ? 'fast' : isAffected(rule.slow) ? 'slow' : null
}

/** A stored run changes once: when a failed one gets its recheck. */
function isRechecked({ status, recheckOf, recheckedBy }: Result): boolean {
  return (status !== 'failure' && status !== 'timeout') || recheckOf !== null || recheckedBy !== null
}

function isOfKind(topic: Topic, kind: string, buckets: ReadonlySet<string> | null): boolean {
  if (topic === kind) return true
  const [topicKind, part] = topic.split('.', 2) as [string, string?]
  if (topicKind !== kind) return false
  // Somebody signed in or out.
  if (kind === 'write') return part !== 'session'
  return buckets === null || part === undefined || buckets.has(part)
}

/** Returns the buckets of the ids in an input; null without an id. */
function bucketsOf(input: unknown): ReadonlySet<string> | null {
  if (typeof input !== 'object' || input === null) return null
  const ids = Object.values(input).filter((value) => typeof value === 'string' && value.length === 36)
  return ids.length === 0 ? null : new Set(ids.map((id) => bucketOf(String(id))))
}
