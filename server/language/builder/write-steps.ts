import { printString } from '../lace/print/string.ts'
import { bodyOf, formBody, type Json } from '../script-import/request.ts'
import { headerOfAuth, writtenUrl } from './parts.ts'
import type { Assertion, Body, Level, Pair, Step } from './steps.ts'

/** A call asserts something: without assertions, that a response arrives. */
export const ANY_RESPONSE: Assertion = {
  kind: 'scope',
  level: 'expect',
  scope: 'status',
  value: '{ value: 0, op: "gt" }',
}

/** Returns the script of the steps. Rows without a name, and a second header of one name, are left out. */
export function writeSteps(steps: readonly Step[]): string {
  return steps.map(callText).join('\n')
}

/** Returns the script that shows any response of the steps: it takes their values, and asserts nothing of them. */
export function writeTest(steps: readonly Step[]): string {
  return writeSteps(steps.map((step) => ({ ...step, assertions: [] })))
}

function callText(step: Step): string {
  const config = configLines(step)
  const options = config.length === 0 ? '' : `, {\n${config.map((line) => `  ${line}`).join(',\n')}\n}`
  return `${[`${step.method}(${printString(writtenUrl(step))}${options})`, ...chainLines(step)].join('\n')}\n`
}

function configLines(step: Step): string[] {
  const body = writtenBody(step.body)
  const headers = writtenHeaders(step, body?.type ?? '')
  const lines: string[] = []
  if (headers.length > 0) lines.push(`headers: ${mapText(headers)}`)
  if (body) lines.push(`body: ${body.source}`)
  if (!step.followsRedirects) lines.push('redirects: { follow: false }')
  if (step.acceptsInvalidCertificates) lines.push('security: { rejectInvalidCerts: false }')
  if (step.timeoutMs !== null) lines.push(`timeout: { ms: ${step.timeoutMs} }`)
  return lines
}

function mapText(pairs: readonly Pair[]): string {
  return `{\n${pairs.map(({ name, value }) => `    ${printString(name)}: ${printString(value)}`).join(',\n')}\n  }`
}

/** The headers of a step as its script has them: that of its authentication, the content type of a text, and its own. */
export function writtenHeaders({ auth, headers }: Pick<Step, 'auth' | 'headers'>, type: string): Pair[] {
  const ofAuth = headerOfAuth(auth)
  const all = [...(ofAuth ? [ofAuth] : []), ...(type === '' ? [] : [{ name: 'Content-Type', value: type }]), ...headers]
  const named = new Map<string, Pair>()
  for (const { name, value } of all) {
    const key = name.trim().toLowerCase()
    if (key !== '' && !named.has(key)) named.set(key, { name: name.trim(), value })
  }
  return [...named.values()]
}

/** Returns the body as a script has it. JSON and a form that a script cannot write exactly become a text. */
function writtenBody(body: Body): { source: string; type: string } | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'json': {
      if (body.text.trim() === '') return null
      const exact = exactJson(body.text)
      return exact ? { source: `json(${jsonText(exact, 1)})`, type: '' } : rawBody(body.text, 'application/json')
    }
    case 'form': {
      const fields = namedFields(body.fields)
      if (fields.length === 0) return null
      const written = formBody(fields)
      return written.kind === 'form'
        ? { source: `form(${objectText(fields, 1)})`, type: '' }
        : rawBody(written.kind === 'text' ? written.text : '', written.type ?? '')
    }
    case 'text':
      return body.text === '' ? null : rawBody(body.text, body.type.trim())
  }
}

function rawBody(text: string, type: string): { source: string; type: string } {
  return { source: printString(text), type }
}

function namedFields(fields: readonly Pair[]): [string, string][] {
  return fields.flatMap(({ name, value }): [string, string][] => (name === '' ? [] : [[name, value]]))
}

/** Returns the object that a script writes with the same bytes as the text, except for spaces; null for other texts. */
export function exactJson(text: string): { [key: string]: Json } | null {
  const body = bodyOf(text, 'application/json')
  return body?.kind === 'json' ? body.value : null
}

function jsonText(value: Json, level: number): string {
  if (typeof value === 'string') return printString(value)
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((item) => jsonText(item, level)).join(', ')}]`
  return objectText(Object.entries(value), level)
}

function objectText(entries: [string, Json][], level: number): string {
  if (entries.length === 0) return '{}'
  const indent = '  '.repeat(level)
  const lines = entries.map(([name, member]) => `${indent}  ${printString(name)}: ${jsonText(member, level + 1)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function chainLines({ assertions, takes }: Step): string[] {
  const all = assertions.length === 0 ? [ANY_RESPONSE] : assertions
  const conditions = (['expect', 'check'] as const).flatMap((level) => conditionLines(all, level))
  const stored = takes.map(({ name, from }) => `${printString(`$$${name}`)}: ${from}`)
  return [
    ...scopeLine(all, 'expect'),
    ...scopeLine(all, 'check'),
    ...(conditions.length === 0 ? [] : [`.assert({\n${conditions.join(',\n')}\n})`]),
    ...(stored.length === 0 ? [] : [`.store({ ${stored.join(', ')} })`]),
  ]
}

function scopeLine(assertions: readonly Assertion[], level: Level): string[] {
  const own = assertions.filter((one) => one.level === level)
  const scopes = own.flatMap((one) => (one.kind === 'scope' ? `${one.scope}: ${one.value}` : []))
  const headers = own.flatMap((one) =>
    one.kind === 'header' ? `${printString(one.name)}: ${printString(one.value)}` : [],
  )
  if (headers.length > 0) scopes.push(`headers: { ${headers.join(', ')} }`)
  return scopes.length === 0 ? [] : [`.${level}(${scopes.join(', ')})`]
}

function conditionLines(assertions: readonly Assertion[], level: Level): string[] {
  const own = assertions.flatMap((one) =>
    one.kind === 'condition' && one.level === level ? `    ${one.expression}` : [],
  )
  return own.length === 0 ? [] : [`  ${level}: [\n${own.join(',\n')}\n  ]`]
}
