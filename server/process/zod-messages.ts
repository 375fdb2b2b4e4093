import { z } from 'zod'

// What schemas say of a value they refuse, where they have no words of their own: the end of a sentence that begins
// with the name of the field or the setting. Words that a form sets stand over these.

const english = z.locales.en().localeError

const FORMATS: Record<string, string> = {
  url: 'must be a URL',
  email: 'must be an email address',
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
}

const TYPES: Record<string, string> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
}

z.config({ localeError: (issue) => reasonOf(issue) ?? english(issue) })

function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected]
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'invalid_format':
      return FORMATS[issue.format]
    case 'too_small':
      return bound('at least', Number(issue.minimum), issue.origin)
    case 'too_big':
      return bound('at most', Number(issue.maximum), issue.origin)
    default:
      return undefined
  }
}

function bound(words: string, limit: number, origin: string): string | undefined {
  if (origin === 'string') return `must be ${words} ${limit} ${limit === 1 ? 'character' : 'characters'} long`
  if (origin === 'array') return `must have ${words} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return origin === 'number' || origin === 'int' ? `must be ${words} ${limit}` : undefined
}
