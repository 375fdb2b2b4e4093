/** The details of an audit entry, as JSON. */
export type AuditDetails = Record<string, unknown>

/** A field before and after a change. */
export type FieldChange = { field: string; from: string; to: string }

/** Returns the fields of which the details have both values. A rename has them at its top. */
export function fieldChanges(details: AuditDetails): FieldChange[] {
  if ('from' in details && 'to' in details && !isId(details.from)) {
    return [{ field: 'name', from: textOf(details.from), to: textOf(details.to) }]
  }
  return Object.entries(details).flatMap(([field, value]) =>
    isChange(value) ? [{ field, from: textOf(value.from), to: textOf(value.to) }] : [],
  )
}

/** Fields that the sentence or another part of the entry shows. */
const SHOWN_ELSEWHERE = new Set([
  'changed',
  'diff',
  'from',
  'to',
  'principalName',
  'principalType',
  'project',
  'resourceName',
])

/** Returns the other details as fields with their values. Ids say nothing to a reader. */
export function otherDetails(details: AuditDetails): { field: string; value: string }[] {
  return Object.entries(details).flatMap(([field, value]) => {
    if (SHOWN_ELSEWHERE.has(field) || isChange(value) || isId(value)) return []
    const text = textOf(value)
    return text === '' ? [] : [{ field, value: text }]
  })
}

/** Writes a value for a reader: lists by commas, switches as on and off. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => [name, textOf(one)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}
