import { z } from 'zod'

// The reasons for values that a schema refuses without a reason of the schema itself. A reason ends a sentence that begins
// with the name of the field or setting, and uses JSON's words for types. A form's own messages take precedence.

const TYPES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be a boolean',
  array: 'must be an array',
  tuple: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const FORMATS: Record<string, string> = {
  url: 'must be a URL',
  email: 'must be an email address',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
}

z.config({ localeError: reasonOf })

// Every code has a sentence of ours: a caller never reads the library's.
function reasonOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue)
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has the wrong format'
    case 'too_small':
      return boundReason(issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum), issue)
    case 'too_big':
      return boundReason(issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum), issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has the unknown ${issue.keys.length > 1 ? 'fields' : 'field'} ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    case 'invalid_union':
      return unionReason(issue)
    case 'invalid_key':
      return `is a name that ${issue.issues[0]?.message ?? 'is not accepted'}`
    default:
      return 'is not accepted'
  }
}

/** `z.int()` reports a string as no number first, and only then a fraction as no integer. */
function typeReason({ expected, inst }: { expected: string; inst?: unknown }): string {
  const format = (inst as { _zod?: { def?: { format?: unknown } } } | undefined)?._zod?.def?.format
  return TYPES[expected === 'number' && format === 'safeint' ? 'int' : expected] ?? 'has the wrong type'
}

/** Joins the reasons of all forms of a union if each form refuses the value itself, not a field in it. */
function unionReason({ errors }: { errors: z.core.$ZodIssue[][] }): string {
  const reasons = errors.map(([first]) => (first?.path.length === 0 ? first.message : ''))
  if (reasons.length === 0 || !reasons.every((reason) => reason.startsWith('must be '))) {
    return 'has none of the accepted forms'
  }
  return `must be ${[...new Set(reasons)].map((reason) => reason.slice('must be '.length)).join(' or ')}`
}

function boundReason(words: string, limit: number, { origin, exact }: { origin: string; exact?: boolean }): string {
  const amount = `${exact ? 'exactly' : words} ${limit}`
  if (origin === 'string' && amount === 'at least 1') return 'must not be empty'
  if (origin === 'string') return `must be ${amount} ${limit === 1 ? 'character' : 'characters'} long`
  if (origin === 'array') return `must have ${amount} ${limit === 1 ? 'entry' : 'entries'}`
  return `must be ${amount}`
}
