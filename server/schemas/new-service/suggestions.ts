import { printString } from '../../language/lace/print/string.ts'
import type { DraftResult } from './drafts.ts'
import type { ProbeAssertion } from './probe-script.ts'

/** An assertion that the response of a test run suggests. */
export type Suggestion = { id: string; text: string; isTicked: boolean; assertion: ProbeAssertion }

const FIELDS_MAX = 6
const TEXT_MAX = 120
const DEPTH_MAX = 3
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Fields whose values say whether a service works. */
const STATE_FIELD = /^(status|state|ok|success|healthy|health|up)$/i

/** Returns the assertions that fit the response of the first step, the most useful first; empty without a response. */
export function suggestAssertions({ steps, bodies }: Pick<DraftResult, 'steps' | 'bodies'>): Suggestion[] {
  const [step] = steps
  if (!step || step.statusCode === null) return []
  const body = bodies.find((one) => one.stepId === step.id)
  const text = body && body.encoding === null ? body.content : null
  const type = firstOf(step.headers['content-type'])
  return [
    ...statusSuggestions(step.statusCode),
    ...(text === null ? [] : isJsonType(type) ? fieldSuggestions(body?.isCut ? null : text) : titleSuggestions(text)),
    ...delaySuggestions(step.responseTimeMs),
    ...typeSuggestions(type),
  ]
}

function statusSuggestions(status: number): Suggestion[] {
  const suggestion = (value: number, isTicked: boolean): Suggestion => ({
    id: `status-${value}`,
    text: `The status is ${value}`,
    isTicked,
    assertion: { kind: 'status', value },
  })
  // The service is down now, or the URL is wrong: what it should return is what the script should expect.
  if (status >= 400) return [suggestion(200, true), suggestion(status, false)]
  return [suggestion(status, true)]
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
  return [conditionOf('title', `The body contains “${title}”`, `includes(${printString(title)}, this.body)`, true)]
}

function fieldSuggestions(json: string | null): Suggestion[] {
  if (json === null) return []
  const found = scalarFields(parse(json), [])
  const isState = ({ path }: Field) => STATE_FIELD.test(path.at(-1) as string)
  const ordered = [...found.filter(isState), ...found.filter((field) => !isState(field))]
  return ordered.slice(0, FIELDS_MAX).map((field) => {
    const path = field.path.join('.')
    const value = typeof field.value === 'string' ? printString(field.value) : String(field.value)
    return conditionOf(
      `field-${path}`,
      `The field ${path} is ${value}`,
      `this.body.${path} eq ${value}`,
      isState(field),
    )
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
  const text = `A response slower than ${limit.toLocaleString('en')} ms is recorded, without failing the run`
  return [{ id: 'delay', text, isTicked: true, assertion: { kind: 'delay', ms: limit } }]
}

function roundUp(ms: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(ms)) - 1)
  return Math.ceil(ms / unit) * unit
}

function typeSuggestions(type: string): Suggestion[] {
  if (type === '' || type.length > TEXT_MAX || type.includes('$')) return []
  const text = `The content type is ${type}`
  return [{ id: 'type', text, isTicked: false, assertion: { kind: 'header', name: 'Content-Type', value: type } }]
}

function conditionOf(id: string, text: string, expression: string, isTicked: boolean): Suggestion {
  return { id, text, isTicked, assertion: { kind: 'condition', expression } }
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
