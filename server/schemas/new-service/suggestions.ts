import type { Assertion } from '../../language/builder/steps.ts'
import { printString } from '../../language/lace/print/string.ts'
import type { DraftResult } from './drafts.ts'

/** An assertion that the response of a test run suggests. `isTicked`: the builder takes it unless the member drops it. */
export type Suggestion = { id: string; isTicked: boolean; assertion: Assertion }

const FIELDS_MAX = 6
const TEXT_MAX = 120
const DEPTH_MAX = 3
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Fields whose values say whether a service works. */
const STATE_FIELD = /^(status|state|ok|success|healthy|health|up)$/i

/**
 * Returns the assertions that fit the response of a step, the most useful first; empty without a response. An error suggests
 * only that there is none: what it contains says nothing about a service that works.
 */
export function suggestAssertions({ steps, bodies }: Pick<DraftResult, 'steps' | 'bodies'>, at = 0): Suggestion[] {
  const step = steps[at]
  if (!step || step.statusCode === null) return []
  if (step.statusCode >= 400) return [BELOW_400]
  const body = bodies.find((one) => one.stepId === step.id)
  const text = body && body.encoding === null ? body.content : null
  const type = firstOf(step.headers['content-type'])
  return [
    statusSuggestion(step.statusCode),
    ...(text === null ? [] : isJsonType(type) ? fieldSuggestions(body?.isCut ? null : text) : titleSuggestions(text)),
    ...delaySuggestions(step.responseTimeMs),
    ...typeSuggestions(type),
  ]
}

const BELOW_400: Suggestion = {
  id: 'status-below-400',
  isTicked: true,
  assertion: { kind: 'scope', level: 'expect', scope: 'status', value: '{ value: 400, op: "lt" }' },
}

function statusSuggestion(status: number): Suggestion {
  return {
    id: `status-${status}`,
    isTicked: true,
    assertion: { kind: 'scope', level: 'expect', scope: 'status', value: String(status) },
  }
}

/** Returns what a member must know of a response with an error, null for another one. */
export function errorWarning(status: number | null): string | null {
  if (status === null || status < 400) return null
  return `The target answers ${status} now: the service will fail until it answers with a status below 400.`
}

function titleSuggestions(html: string): Suggestion[] {
  const written = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? ''
  // A `$` begins a variable, and a line break may differ from response to response.
  const title =
    written
      .split(/[$\n\r]/, 1)[0]
      ?.trim()
      .slice(0, TEXT_MAX) ?? ''
  if (title === '') return []
  return [conditionOf('title', `includes(${printString(title)}, this.body)`, true)]
}

function fieldSuggestions(json: string | null): Suggestion[] {
  if (json === null) return []
  const found = scalarFields(parse(json), [])
  const isState = ({ path }: Field) => STATE_FIELD.test(path.at(-1) as string)
  const ordered = [...found.filter(isState), ...found.filter((field) => !isState(field))]
  return ordered.slice(0, FIELDS_MAX).map((field) => {
    const path = field.path.join('.')
    const value = typeof field.value === 'string' ? printString(field.value) : String(field.value)
    return conditionOf(`field-${path}`, `this.body.${path} eq ${value}`, isState(field))
  })
}

type Field = { path: string[]; value: string | number | boolean }

/** Fields that the language can name, with values that fit on a line. */
function scalarFields(value: unknown, path: string[]): Field[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || path.length >= DEPTH_MAX) return []
  return Object.entries(value).flatMap(([key, item]): Field[] => {
    if (!IDENTIFIER.test(key)) return []
    const at = [...path, key]
    return isComparable(item) ? [{ path: at, value: item }] : scalarFields(item, at)
  })
}

function isComparable(value: unknown): value is Field['value'] {
  if (typeof value === 'string') return value.length <= TEXT_MAX && !/[$\n\r]/.test(value)
  // The language has no exponents.
  return typeof value === 'boolean' || (typeof value === 'number' && !String(value).includes('e'))
}

/** Twice the measured time, rounded up to two digits: a target that is slower than usual. */
function delaySuggestions(ms: number | null): Suggestion[] {
  if (ms === null) return []
  const limit = roundUp(Math.max(250, ms * 2))
  const assertion: Assertion = { kind: 'scope', level: 'check', scope: 'totalDelayMs', value: String(limit) }
  return [{ id: 'delay', isTicked: true, assertion }]
}

function roundUp(ms: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(ms)) - 1)
  return Math.ceil(ms / unit) * unit
}

function typeSuggestions(type: string): Suggestion[] {
  if (type === '' || type.length > TEXT_MAX || type.includes('$')) return []
  const assertion: Assertion = { kind: 'header', level: 'expect', name: 'Content-Type', value: type }
  return [{ id: 'type', isTicked: false, assertion }]
}

function conditionOf(id: string, expression: string, isTicked: boolean): Suggestion {
  return { id, isTicked, assertion: { kind: 'condition', level: 'expect', expression } }
}

function firstOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? ''
}

function isJsonType(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === 'application/json' || type.endsWith('+json')
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
