import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { JsonSchema, Operation } from '#server/fronts/rest/document-types.ts'
import { anyString } from '../any-string.ts'
import { sampleOf } from '../schema-samples.ts'
import type { CallOptions } from './api.ts'
import { bodySchemaOf } from './body-schema.ts'
import { contract } from './contract.ts'
import type { Fixture } from './fuzz-fixture.ts'

/** Every operation of the document. */
export const operations = Object.entries(contract().document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    template: path.replace('/api/public/v1', ''),
    method: method.toUpperCase(),
    operation,
  })),
)

/** The plan of a request, as plain data, so that fast-check can show and shrink it. */
export type Draft = {
  operation: number
  /** All values arbitrary, one value arbitrary, or all values valid. */
  mode: 'chaos' | 'one' | 'right'
  /** A method that differs from the operation's. */
  method: string | null
  token: string
  choices: Choice[]
  pick: number
  extraQuery: string
  contentType: string
  raw: string | null
}

type Choice = { kind: 'right' | 'absent' | 'odd' | 'json'; pick: number; odd: string; json: unknown }

export type Made = { token: string | null; method: string; path: string; options: CallOptions; operation: Operation }

const ODD = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '-1',
    '1e400',
    '0x10',
    'NaN',
    '9'.repeat(400),
    'x'.repeat(5_000),
    '{}',
    '[]',
    '"',
    '\\',
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '\u202e',
    '\r\n',
    '\t',
    '😀',
    'ＡＢＣ',
    '%00',
    '%zz',
    '../..',
    "'; --",
    '$$$',
  ],
  ...['__proto__', 'constructor', 'toString', '(?i)', '(a+)+$', '00000000-0000-0000-0000-000000000001'],
  ...[
    '2026-13-45',
    '2026-01-01',
    '2026-01-01T00:00:00+99:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
  ],
  ...[
    '*/7 * * * *',
    '60 * * * *',
    'FREQ=SECONDLY',
    'FREQ=DAILY/0',
    'FREQ=DAILY/60/Mars',
    '{"until":1}',
    '{"a":'.repeat(99),
  ],
]

const odd = fc.oneof(fc.constantFrom(...ODD), anyString(40))
const BROKEN = ['', '{', '[]', 'null', '"x"', '{"a":'.repeat(5_000), '['.repeat(200_000), '{"a":1e400}', '\ufeff{}']

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
const mostly = (usual: string, ...others: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3 * others.length, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )

export const draft: fc.Arbitrary<Draft> = fc.record({
  operation: fc.nat({ max: operations.length - 1 }),
  mode: fc.constantFrom('chaos', 'one', 'one', 'right', 'right'),
  method: seldom(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')),
  token: mostly('owner', 'member', 'member', 'read', 'revoked', 'stranger', 'nobody', 'none'),
  choices: fc.array(
    fc.record({
      kind: fc.constantFrom<Choice['kind']>('right', 'absent', 'odd', 'json'),
      pick: fc.nat(),
      odd,
      json: fc.jsonValue({ maxDepth: 4 }),
    }),
    { minLength: 6, maxLength: 14 },
  ),
  pick: fc.nat(),
  extraQuery: mostly('', '__proto__=1', 'filters=x', 'page=1&page=2', 'constructor=1&x[y]=2', '%zz', '&&=&=1'),
  contentType: mostly('application/json', 'text/plain', 'application/json; charset=latin1', 'x', ''),
  raw: seldom(fc.oneof(fc.string(), fc.constantFrom(...BROKEN))),
})

/** Returns the request of a draft, with values of the fixture. */
export function makeRequest(made: Draft, fixture: Fixture): Made {
  const { template, method: own, operation } = operations[made.operation] as (typeof operations)[number]
  let drawn = 0
  const next = (): Choice => {
    const choice = made.choices[drawn % made.choices.length] as Choice
    const isFree = made.mode === 'chaos' || (made.mode === 'one' && drawn === made.pick % 4)
    drawn += 1
    return isFree ? choice : { ...choice, kind: 'right' }
  }
  const method = made.method ?? own
  const tuples = (method === 'DELETE' ? fixture.doomed : fixture.paths)[template] ?? fixture.doomed[template] ?? []
  const tuple = tuples[made.pick % Math.max(1, tuples.length)] ?? []
  let parameters = 0
  const path = template
    .split('/')
    .map((part) => (part.startsWith('{') ? segment(tuple[parameters++], next()) : part))
    .join('/')

  const search = new URLSearchParams()
  for (const { name, schema, in: place, required } of operation.parameters ?? []) {
    const { kind, pick, odd } = place === 'query' ? next() : { kind: 'absent', pick: 0, odd: '' }
    // Of some optional parameters, only one may be given.
    if (kind === 'absent' || (!required && pick % 3 > 0)) continue
    search.append(name, kind === 'right' ? String(rightValue(fixture, name, schema, pick)) : odd)
    if (kind === 'json') search.append(name, odd)
  }
  const options: CallOptions = {
    query: [search.toString(), made.extraQuery].filter(Boolean).join('&'),
    headers: made.contentType ? { 'content-type': made.contentType } : {},
  }
  const schema = bodySchemaOf(contract().document, operation)
  if (schema && method !== 'GET' && method !== 'HEAD') {
    options.rawBody = Buffer.from(made.raw ?? JSON.stringify(bodyOf(fixture, schema, next)))
  }
  const nobody = (made.choices[0]?.odd ?? '').replace(/[^\x21-\x7e]/g, 'x') || 'x'
  const token = made.token === 'none' ? null : (fixture.tokens[made.token] ?? nobody)
  return { token, method, path, options, operation }
}

function bodyOf(fixture: Fixture, schema: JsonSchema, next: () => Choice): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  const required = (schema.required ?? []) as string[]
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    const { kind, pick, odd, json } = next()
    if (kind === 'absent' || (!required.includes(name) && pick % 3 > 0)) continue
    body[name] = kind === 'right' ? rightValue(fixture, name, property, pick) : kind === 'odd' ? odd : json
  }
  return body
}

/** A path segment: an existing id, an id that does not exist, or arbitrary characters that a URL can contain. */
function segment(right: string | undefined, { kind, odd }: Choice): string {
  if (kind === 'right') return right ?? randomUUID()
  if (kind === 'absent') return randomUUID()
  return odd.replace(/[?#\\\s\0]|[\ud800-\udfff]/g, '') || 'x'
}

function rightValue(fixture: Fixture, name: string, schema: JsonSchema, pick: number): unknown {
  if (name === 'slugs') return pick % 2 ? fixture.values.slugs : []
  if (name === 'ids') return fixture.values.ids
  // The resource in the query is the workspace.
  if (name === 'resourceType') return 'workspace'
  if (name === 'principalType') return 'user'
  if (Array.isArray(schema.enum)) return schema.enum[pick % schema.enum.length]
  if (schema.type === 'boolean') return pick % 2 === 0
  const values = fixture.values[name] ?? []
  return values.length > 0 ? values[pick % values.length] : sampleOf(name, schema)
}
