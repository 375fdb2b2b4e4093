import { plainText, type Split } from '../../../language/script-import/templates.ts'
import {
  type Comparison,
  escapedPattern,
  lengthIs,
  lengthIsNot,
  noValueAt,
  numberIs,
  PRESENT,
  readPath,
  type Schema,
  type Step,
  textIs,
  textMatches,
  valueAt,
} from './body-schema.ts'
import { bodyContains, isFoundOtherwise } from './body-text.ts'
import type { Notes } from './checks.ts'
import { OPERATORS, statusWhere } from './conditions.ts'
import { secondsOf } from './every.ts'
import type { Kept, Read } from './expectations.ts'

/** Needs no condition: a call that does not connect fails. */
const IMPLIED = /^\s*\[CONNECTED\] == true\s*$/
/** In the order in which Gatus looks for them. */
const SIGNS = ['==', '!=', '<=', '>=', '>', '<']
const MIRRORED: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

const NO_JSON_PASSES = 'A body that is not JSON fails here. In Gatus it passes this condition.'
const NO_NUMBER = 'Only a number passes here. Gatus also accepts a number in a string, and treats anything else as 0.'
const NO_LENGTH =
  'The length of an array is the number of its items, and the length of an ASCII string the number of its characters, as in Gatus. Anything else fails here. Gatus counts the bytes of its text.'
const NO_TEXT = 'Only a string can match here. Gatus also matches numbers and arrays, converted to strings.'
const WRITTEN_ANEW =
  'A JSON body is searched without the white space between its values. Gatus searches the body as it was sent.'
const WHITE_SPACE = 'White space around the body counts here. Gatus ignores it.'
const ANYWHERE = 'A body that contains the text anywhere fails here. In Gatus only a body that equals it fails.'

/** Returns what the condition becomes; null when it needs none. */
export function readCondition(text: string, split: Split, check: string, notes: Notes): Read | null {
  if (IMPLIED.test(text)) return null
  if (text.includes('[CERTIFICATE_EXPIRATION]')) {
    const why = 'Soundline announces the expiry of certificates by itself, 30 days before it and later.'
    notes.add(check, `the condition ${text}`, why, 'Follow the service, or name webhooks under webhooks.')
    return null
  }
  return { text: `the condition ${text}`, kept: keptOf(text, split) }
}

function keptOf(text: string, split: Split): Kept | null {
  const sign = SIGNS.find((one) => text.includes(` ${one} `))
  const plain = plainText(split, text)
  if (!sign || plain === null) return null
  const [left = '', right = ''] = plain.split(` ${sign} `).map((side) => side.trim())
  if (!right.startsWith('[') || left.startsWith('[')) return compared(left, sign, right)
  return compared(right, MIRRORED[sign] ?? sign, left)
}

function compared(subject: string, sign: string, value: string): Kept | null {
  const operator = OPERATORS[sign] as Comparison
  if (subject === '[STATUS]') return statusKept(operator, value)
  if (subject === '[RESPONSE_TIME]') {
    const limit = numberOf(value)
    return limit === null ? null : { condition: `this.responseTime ${operator} ${limit}` }
  }
  const [, name, inner] = /^(?:(len|has)\()?(\[BODY\].*?)\)?$/s.exec(subject) ?? []
  if (!inner || subject !== (name ? `${name}(${inner})` : inner)) return null
  const path = readPath(inner.replace(/^\[BODY\]\.?/, ''))
  if (path === null) return null
  const isEqual = operator === 'eq' || operator === 'neq'
  if (name === 'has')
    return isEqual && /^(true|false)$/.test(value) ? existence(path, (value === 'true') === (operator === 'eq')) : null
  if (name === 'len') return lengthKept(path, operator, value)
  if (!isEqual) return orderKept(path, operator, value)
  return path.length === 0 ? bodyKept(operator, value) : valueKept(path, operator, value)
}

function statusKept(operator: Comparison, value: string): Kept | null {
  const is = operator === 'neq' ? (found: boolean) => !found : (found: boolean) => found
  if (operator === 'eq' || operator === 'neq') {
    const listed = listIn(value)
    const [, glob] = /^pat\(([\d*?]+)\)$/.exec(value) ?? []
    if (glob) {
      const condition = statusWhere((status) => is(hasGlob(String(status), glob.replaceAll(/\*+/g, '*'))))
      return condition ? { condition } : null
    }
    if (listed) {
      const condition = statusWhere((status) => is(listed.includes(String(status))))
      return condition ? { condition } : null
    }
  }
  const limit = numberOf(value)
  return limit === null ? null : { condition: `this.status ${operator} ${limit}` }
}

function existence(path: Step[], isWanted: boolean): Kept {
  return isWanted ? { schema: valueAt(path, PRESENT) } : { schema: noValueAt(path, PRESENT), differs: NO_JSON_PASSES }
}

function lengthKept(path: Step[], operator: Comparison, value: string): Kept | null {
  const length = numberOf(value)
  if (length === null || length < 0) return null
  if (operator !== 'neq') return { schema: valueAt(path, lengthIs(operator, length)), differs: NO_LENGTH }
  return { schema: noValueAt(path, { not: lengthIsNot(length) }), differs: `${NO_LENGTH} ${NO_JSON_PASSES}` }
}

/** Gatus drops the fraction of numbers before it compares them. */
function orderKept(path: Step[], operator: Comparison, value: string): Kept | null {
  const limit = numberOf(value)
  if (limit === null) return null
  const isLower = operator === 'gt' || operator === 'gte'
  const bound = operator === 'gt' ? limit + 1 : operator === 'lt' ? limit - 1 : limit
  const isWhole = isLower ? bound > 0 : bound < 0
  const whole = isLower ? numberIs('gte', bound) : numberIs('lte', bound)
  const schema = isWhole ? whole : isLower ? numberIs('gt', bound - 1) : numberIs('lt', bound + 1)
  return { schema: valueAt(path, schema), differs: NO_NUMBER }
}

function valueKept(path: Step[], operator: Comparison, value: string): Kept | null {
  const glob = globIn(value)
  if (glob) {
    if (operator === 'eq') return { schema: valueAt(path, textMatches(glob)), differs: NO_TEXT }
    const bad: Schema = { anyOf: [textMatches(glob), { type: ['number', 'boolean', 'array', 'object'] }] }
    return { schema: noValueAt(path, bad), differs: `${NO_TEXT} ${NO_JSON_PASSES}` }
  }
  // Lists and objects are texts of a form of their own.
  if (isFunction(value) && !listIn(value)) return null
  if (/^(\[|\{|map\[)/.test(value)) return null
  const texts = listIn(value) ?? [value]
  if (operator === 'eq') return { schema: valueAt(path, textIs(...texts)) }
  return { schema: noValueAt(path, textIs(...texts)), differs: NO_JSON_PASSES }
}

function bodyKept(operator: Comparison, value: string): Kept | null {
  const [, searched] = /^pat\(\*([^*?[\]\\]+)\*\)$/s.exec(value) ?? []
  if (searched !== undefined) {
    const condition = operator === 'eq' ? bodyContains(searched) : `not ${bodyContains(searched)}`
    return { condition, ...(isFoundOtherwise(searched) && { differs: WRITTEN_ANEW }) }
  }
  if (isFunction(value)) return null
  if (operator === 'eq') {
    const [, typed] = textIs(value).enum as (string | number | boolean)[]
    return typed === undefined ? { body: value, differs: WHITE_SPACE } : { schema: { enum: [typed] } }
  }
  return value === '' ? { condition: 'this.size gt 0' } : { condition: `not ${bodyContains(value)}`, differs: ANYWHERE }
}

function isFunction(value: string): boolean {
  return /^(pat|any|len|has)\(.*\)$/s.test(value) || value.startsWith('[')
}

function listIn(value: string): string[] | null {
  const [, listed] = /^any\((.*)\)$/s.exec(value) ?? []
  return listed === undefined ? null : listed.split(',').map((one) => one.trim())
}

/** A pattern of `*` and `?` as a regular expression; null for another value, and for a pattern with classes. */
function globIn(value: string): string | null {
  const [, glob] = /^pat\(([^[\]\\]*)\)$/s.exec(value) ?? []
  if (glob === undefined) return null
  const parts = [...glob].map((char) => (char === '*' ? '[\\s\\S]*' : char === '?' ? '[\\s\\S]' : escapedPattern(char)))
  return `^${parts.join('')}$`
}

function hasGlob(text: string, glob: string): boolean {
  if (glob === '') return text === ''
  if (glob.startsWith('*')) return hasGlob(text, glob.slice(1)) || (text !== '' && hasGlob(text.slice(1), glob))
  return text !== '' && (glob.startsWith('?') || glob[0] === text[0]) && hasGlob(text.slice(1), glob.slice(1))
}

/** A whole number, or the milliseconds of a duration such as `1m30s`; null for another text. */
function numberOf(value: string): number | null {
  if (/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value)) return Math.trunc(Number(value))
  const seconds = secondsOf(value)
  return seconds === null ? null : Math.trunc(Math.round(seconds * 1_000_000) / 1_000)
}
