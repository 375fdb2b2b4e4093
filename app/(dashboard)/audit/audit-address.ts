import type { Input } from '../../client/api.ts'
import { dayStart, nextDate } from '../../components/zone-clock.ts'

/** The filters of the audit log, which its address holds. `from` and `to` are dates, both included. */
export type AuditAddress = Partial<
  Record<'person' | 'action' | 'type' | 'resource' | 'from' | 'to', string> & { page: number }
>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PATTERNS = {
  person: ID,
  action: /^[a-z_.]{1,64}$/,
  type: /^[a-z_]{1,64}$/,
  resource: ID,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
}
const KEYS = Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]

/** Parses the address. What is not valid is left out, so that an old or mistyped link still opens the log. */
export function parseAddress(params: Record<string, string | string[] | undefined>): AuditAddress {
  const address: AuditAddress = {}
  for (const key of KEYS) {
    const value = [params[key]].flat()[0] ?? ''
    const isDate = key === 'from' || key === 'to'
    if (PATTERNS[key].test(value) && !(isDate && Number.isNaN(Date.parse(value)))) address[key] = value
  }
  const page = Number([params.page].flat()[0])
  if (Number.isInteger(page) && page > 1 && page <= 1_000) address.page = page
  return address
}

/** Returns the log's address with changes; undefined removes a filter. A changed filter starts at the first page. */
export function addressWith(
  address: AuditAddress,
  changes: { [K in keyof AuditAddress]?: AuditAddress[K] | undefined },
): string {
  const next = { ...address, page: undefined, ...changes }
  const params = new URLSearchParams()
  for (const key of KEYS) if (next[key]) params.set(key, next[key])
  if (next.page && next.page > 1) params.set('page', String(next.page))
  return params.size === 0 ? '/audit' : `/audit?${params}`
}

/** Returns the input of `organization.audit.list`. Days begin and end in the zone of the dashboard. */
export function queryOf(
  { person, action, type, resource, from, to, page = 1 }: AuditAddress,
  zone: string,
): Input<'organization.audit.list'> {
  return {
    page,
    ...(person && { actorId: person }),
    ...(action && { action }),
    ...(type && { entityType: type }),
    ...(resource && { entityId: resource }),
    ...(from && { since: dayStart(from, zone).toISOString() }),
    ...(to && { until: dayStart(nextDate(to), zone).toISOString() }),
  }
}
