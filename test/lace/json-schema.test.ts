// biome-ignore-all lint/suspicious/noThenProperty: the keyword is called so
import { getAllRegisteredSchemaUris } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchSchema, SchemaRejected } from '#server/language/lace/json-schema.ts'
import type { Json } from '#server/language/lace/values/json.ts'
import { SEED } from '#test/support/seed.ts'

/** `CASES=4` compares that many times as many schemas with another validator. */
const CASES = Number(process.env.CASES ?? 1)

/** Returns the first mismatch as `path detail`, or null. */
async function match(schema: Json, value: Json, strict = false): Promise<string | null> {
  const mismatch = await matchSchema(schema, value, strict)
  return mismatch && `${mismatch.path} ${mismatch.detail}`
}

async function refusal(schema: Json, value: Json = 1): Promise<string> {
  try {
    await matchSchema(schema, value, false)
  } catch (error) {
    if (error instanceof SchemaRejected) return error.message
    throw error
  }
  return 'not refused'
}

describe('a mismatch has path and description', () => {
  test.each<[Json, Json, string | null]>([
    [true, 1, null],
    [false, 1, '. nothing is allowed here'],
    [{ type: 'integer' }, 1.0, null],
    [{ type: 'integer' }, 1.5, '. expected integer, got number'],
    [{ type: ['string', 'null'] }, 1, '. expected string or null, got integer'],
    [{ type: 'number' }, 1, null],
    [{ enum: [1, [2]] }, [2], null],
    [{ enum: [1, 2] }, 3, '. expected one of [1,2], got 3'],
    [{ const: { a: [1] } }, { a: [1] }, null],
    [{ const: null }, 0, '. expected null, got 0'],
    [{ const: 'a' }, 'x'.repeat(200), '. expected "a", got a longer string'],
    [{ minimum: 2 }, 1, '. 1 is less than 2'],
    [{ maximum: 2 }, 3, '. 3 is more than 2'],
    [{ exclusiveMinimum: 2 }, 2, '. 2 is not more than 2'],
    [{ exclusiveMaximum: 2 }, 2, '. 2 is not less than 2'],
    [{ minimum: 2, exclusiveMinimum: true }, 2, '. 2 is not more than 2'],
    [{ multipleOf: 0.1 }, 0.3, null],
    [{ multipleOf: 2 }, 3, '. 3 is not a multiple of 2'],
    [{ minLength: 2 }, '😀', '. 1 characters, fewer than 2'],
    [{ maxLength: 1 }, '😀', null],
    [{ pattern: '^a+$' }, 'aab', '. does not match the pattern ^a+$'],
    [{ pattern: 'a' }, 'xax', null],
    [{ pattern: '\\u0061\\d' }, 'a1', null],
    [{ items: { type: 'string' } }, ['a', 1], '.[1] expected string, got integer'],
    [{ prefixItems: [true], items: false }, [1, 2], '.[1] nothing is allowed here'],
    [{ items: [true], additionalItems: { type: 'null' } }, [1, 2], '.[1] expected null, got integer'],
    [{ minItems: 1 }, [], '. 0 items, fewer than 1'],
    [{ uniqueItems: true }, [1, { a: 1, b: [2] }, '1', { b: [2], a: 1 }], '.[3] is a duplicate'],
    [{ uniqueItems: true }, [[['a', 1]], { a: 1 }, [{ a: 1 }]], null],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], '. 2 items match `contains`, more than 1'],
    [{ contains: { const: 1 } }, [], '. 0 items match `contains`, fewer than 1'],
    [{ required: ['a'] }, {}, '.a required field is missing'],
    [{ required: ['constructor'] }, {}, '.constructor required field is missing'],
    [
      { properties: { a: { properties: { 'b c': { type: 'null' } } } } },
      { a: { 'b c': 1 } },
      '.a["b c"] expected null, got integer',
    ],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, '.b unexpected field'],
    [{ properties: { a: {} } }, { constructor: 1, toString: 2 }, null],
    [
      { patternProperties: { '^x': { type: 'string' } }, additionalProperties: { type: 'null' } },
      { x1: 'a', y: null },
      null,
    ],
    [{ patternProperties: { '^x': { type: 'string' } } }, { x1: 1 }, '.x1 expected string, got integer'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, '.ab the name of the field is not allowed'],
    [{ minProperties: 1 }, {}, '. 0 fields, fewer than 1'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '.b required field is missing'],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, b: 1, c: 1 }, '.d required field is missing'],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, '. 3 is more than 2'],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, 1, '. matches none of 2 alternatives'],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, '. matches 2 of 2 alternatives, not exactly one'],
    [{ oneOf: [{ minimum: 5 }, { minimum: 9 }] }, 3, '. matches none of 2 alternatives, not exactly one'],
    [{ not: { type: 'string' } }, 'a', '. matches a schema that it must not match'],
    [{ if: { minimum: 5 }, then: { multipleOf: 5 }, else: { maximum: 2 } }, 7, '. 7 is not a multiple of 5'],
    [{ if: { minimum: 5 }, then: false, else: { maximum: 2 } }, 3, '. 3 is more than 2'],
    [{ format: 'email' }, 'no address', null],
    [{ unevaluatedProperties: false, allOf: [{ properties: { a: true } }] }, { a: 1, b: 2 }, '.b unexpected field'],
    [
      { unevaluatedProperties: { type: 'null' }, $ref: '#/$defs/x', $defs: { x: { properties: { a: true } } } },
      { a: 1, b: null },
      null,
    ],
    [{ unevaluatedItems: false, prefixItems: [true], contains: { const: 3 } }, [1, 3], null],
    [{ unevaluatedItems: false, prefixItems: [true] }, [1, 2], '.[1] unexpected item'],
  ])('%j of %j', async (schema, value, expected) => {
    expect(await match(schema, value)).toBe(expected)
  })
})

describe('references', () => {
  test.each<[string, Json]>([
    ['a definition', { $ref: '#/$defs/n', $defs: { n: { type: 'null' } } }],
    ['an older definition', { $ref: '#/definitions/a~1b%20c', definitions: { 'a/b c': { type: 'null' } } }],
    ['an anchor', { $ref: '#n', $defs: { x: { $anchor: 'n', type: 'null' } } }],
    ['an older anchor', { $ref: '#n', definitions: { x: { $id: '#n', type: 'null' } } }],
    ['a dynamic anchor', { $dynamicRef: '#n', $defs: { x: { $dynamicAnchor: 'n', type: 'null' } } }],
    ['a part with an id', { $id: 'https://x.example/root', $ref: 'part', $defs: { x: { $id: 'part', type: 'null' } } }],
    [
      'the root by its id',
      {
        $id: 'https://x.example/r',
        anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: 'https://x.example/r' } }],
      },
    ],
    [
      'a part of an API description',
      { $ref: '#/components/schemas/n', components: { schemas: { n: { type: 'null' } } } },
    ],
    ['an item of an older list', { allOf: [{ items: [{ type: 'null' }] }], $ref: '#/allOf/0/items/0' }],
    [
      'a part that no keyword makes a schema',
      { $ref: '#/x-parts/0', 'x-parts': [{ $ref: '#/x-parts/1' }, { type: 'null' }] },
    ],
  ])('are resolved to %s', async (_, schema) => {
    expect(await match(schema, null)).toBeNull()
    expect(await match(schema, 1)).not.toBeNull()
  })

  test('a schema that refers to itself follows the value', async () => {
    const tree: Json = {
      type: 'object',
      properties: { next: { $ref: '#' }, id: { type: 'integer' } },
      required: ['id'],
    }
    expect(await match(tree, { id: 1, next: { id: 2, next: { id: 3 } } })).toBeNull()
    expect(await match(tree, { id: 1, next: { id: 2, next: {} } })).toBe('.next.next.id required field is missing')
    let deep: Json = { id: 0 }
    for (let level = 0; level < 400; level++) deep = { id: 1, next: deep }
    expect(await match(tree, deep)).toBeNull()
  })
})

describe('strict', () => {
  const user: Json = { type: 'object', properties: { id: {}, tags: { items: { properties: { name: {} } } } } }

  test.each<[Json, Json, string | null]>([
    [user, { id: { any: 1 } }, null],
    [user, { id: 1, x: 1 }, '.x unexpected field'],
    [user, { tags: [{ name: 1 }, { name: 1, x: 1 }] }, '.tags[1].x unexpected field'],
    [{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, { a: 1, b: 1 }, null],
    [{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, { a: 1, c: 1 }, '.c unexpected field'],
    [{ anyOf: [{ properties: { a: { type: 'null' } } }, { properties: { b: {} } }] }, { b: 1 }, null],
    [{ $ref: '#/$defs/u', $defs: { u: user } }, { x: 1 }, '.x unexpected field'],
    [{ properties: { a: {} }, additionalProperties: true }, { b: 1 }, '.b unexpected field'],
    [{ properties: { a: {} }, additionalProperties: { type: 'number' } }, { b: 1 }, null],
    [{ patternProperties: { '^x': {} } }, { x1: 1 }, null],
    [{ properties: { a: {} }, unevaluatedProperties: true }, { b: 1 }, '.b unexpected field'],
    [{ type: 'object' }, { b: 1 }, '.b unexpected field'],
    [{}, { b: 1 }, null],
    [{ type: 'array' }, [{ b: 1 }], null],
    // A referenced schema describes the value together with the schema that references it.
    [
      { properties: { u: { properties: { a: {} } }, w: { $ref: '#/properties/u', properties: { b: {} } } } },
      { u: { a: 1 }, w: { a: 1, b: 2 } },
      null,
    ],
  ])('%j of %j', async (schema, value, expected) => {
    expect(await match(schema, value, true)).toBe(expected)
    expect(await match(schema, value, false)).toBeNull()
  })
})

describe('rejected', () => {
  test.each<[Json, string]>([
    [null, 'an object or a boolean'],
    [[], 'an object or a boolean'],
    ['{}', 'an object or a boolean'],
    [{ type: 'strin' }, '#/type has the wrong type'],
    [{ properties: { a: { minLength: -1 } } }, '#/properties/a/minLength has the wrong type'],
    [{ properties: [] }, 'has the wrong type'],
    [{ required: 'a' }, 'has the wrong type'],
    [{ allOf: [] }, 'has the wrong type'],
    [{ items: [1] }, 'has the wrong type'],
    [{ multipleOf: 0 }, 'has the wrong type'],
    [{ $ref: 'https://schemas.example/x' }, 'points outside the document'],
    [{ $ref: '#/nope' }, 'points outside the document'],
    [{ $ref: '#/allOf/01', allOf: [true, true] }, 'points outside the document'],
    [{ $ref: '#', $dynamicRef: '#' }, 'only one reference'],
    [{ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, 'two of its parts have the identifier'],
    [{ pattern: '(?!a)' }, 'linear time'],
    [{ pattern: '(a)\\1' }, 'linear time'],
    [{ pattern: '(' }, 'linear time'],
    [{ patternProperties: { '(?<=a)b': true } }, 'linear time'],
    [{ $ref: '#' }, 'refers to itself endlessly'],
    [{ not: { $ref: '#' } }, 'endlessly'],
    [{ description: 'x'.repeat(300_000) }, 'longer than'],
  ])('%j', async (schema, reason) => {
    expect(await refusal(schema)).toContain(reason)
  })

  test('a document that nests too deeply', async () => {
    let deep: Json = {}
    for (let level = 0; level < 200; level++) deep = { not: deep }
    expect(await refusal(deep)).toContain('nests deeper than 100')
  })

  test('a schema that would take exponential time', async () => {
    const $defs: Json = { d0: { type: 'number' } }
    for (let level = 1; level < 60; level++) {
      $defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] }
    }
    expect(await refusal({ $defs, $ref: '#/$defs/d59' })).toContain('too long')
  })

  test('a schema that a hostile body makes slow', async () => {
    expect(
      await refusal(
        { items: { not: { anyOf: Array.from({ length: 200 }, (_, i) => ({ const: i })) } } },
        Array(50_000).fill(-1),
      ),
    ).toContain('too long')
    expect(await refusal({ pattern: 'x*y*z*$' }, 'xyz'.repeat(3_000_000))).toContain('too long')
  })

  test.each<[string, Json]>([
    ['dependentRequired', { dependentRequired: { a: Array(50_000).fill('a') } }],
    ['required', { required: Array(50_000).fill('a') }],
    ['type', { not: { type: Array(20_000).fill('null') } }],
  ])('a long array of duplicates that is checked for every item: %s', async (_, items) => {
    expect(await refusal({ items }, Array(1_000).fill({ a: 1 }))).toContain('too long')
  })

  test('patterns that are exponential with backtracking are matched', async () => {
    expect(await match({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}b`)).toContain('does not match')
    expect(await match({ pattern: '^(a|aa)+$' }, 'a'.repeat(50_000))).toBeNull()
  })
})

describe('hostile documents and bodies', () => {
  test.each<[string, string, string, string | null]>([
    ['the body has', '{"additionalProperties": {"type": "number"}}', '{"__proto__": 1, "constructor": 2}', null],
    [
      'the body has a wrong',
      '{"additionalProperties": {"type": "number"}}',
      '{"__proto__": "a"}',
      '.__proto__ expected',
    ],
    [
      'the schema describes',
      '{"properties": {"__proto__": {"type": "null"}}}',
      '{"__proto__": 1}',
      '.__proto__ expected',
    ],
    ['the schema requires', '{"required": ["toString", "__proto__"]}', '{}', '.toString required'],
    [
      'others depend on',
      '{"dependentRequired": {"constructor": ["__proto__"]}}',
      '{"constructor": 1}',
      '.__proto__ required',
    ],
    ['decides over others', '{"dependentSchemas": {"constructor": false}}', '{"a": 1}', null],
    ['is compared', '{"const": {"__proto__": 1}}', '{"__proto__": 1}', null],
  ])('a field that objects inherit: %s', async (_, schema, body, expected) => {
    const found = await match(JSON.parse(schema), JSON.parse(body))
    if (expected === null) expect(found).toBeNull()
    else expect(found).toContain(expected)
  })

  test('references to inherited members, to files and to the network point outside the document', async () => {
    const targets = ['#/constructor', '#/__proto__', '#constructor', 'file:///etc/passwd', 'http://127.0.0.1:9/']
    // The same for a document that the validator itself contains.
    for (const $ref of [...targets, 'https://json-schema.org/draft/2020-12/schema']) {
      expect(await refusal({ $ref }), $ref).toContain('points outside the document')
    }
  })

  test('data that looks like a schema is data, and $schema inside the document changes nothing', async () => {
    const data: Json = { $id: 'https://x.example/', $anchor: 'a', $ref: 'https://y.example/', $schema: 'nope' }
    expect(await match({ const: data, default: data, enum: [data] }, data)).toBeNull()
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    const inner: Json = { $id: 'https://x.example/', $schema, pattern: '^(a+)+$' }
    expect(await match({ allOf: [inner] }, `${'a'.repeat(50_000)}b`)).toContain('does not match')
    expect(await refusal({ allOf: [{ $schema, patternProperties: { '(?=a)': true } }] })).toContain('linear time')
  })

  test('field names are matched in linear time too', async () => {
    const name = `${'a'.repeat(50_000)}b`
    const schema: Json = { patternProperties: { '^(a+)+$': true }, additionalProperties: false }
    expect(await match(schema, { [name]: 1 })).toContain('unexpected field')
    expect(await match({ propertyNames: { pattern: '^(a|a)*$' } }, { [name]: 1 })).toContain('the name of the field')
  })

  test('linear patterns that are still expensive, by their number, length or input, are limited', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => [`\\p{L}{1,900}${index}`, true] as const)
    expect(await refusal({ patternProperties: Object.fromEntries(many) }, {})).toContain('patterns are too large')
    const text = 'aab1'.repeat(25_000)
    expect(await refusal({ pattern: '(\\p{L}|\\d){900}!' }, text)).toContain('too long')
    expect(await refusal({ patternProperties: { '(\\p{L}|\\d){900}!': true } }, { [text]: 1 })).toContain('too long')
    expect(await match({ pattern: '^(\\p{L}|\\d)+$' }, text)).toBeNull()
  })

  test('patterns with small programs that are expensive to compile are limited', async () => {
    const classes = `[${'\\pL'.repeat(400)}]`
    const folded = `(?i)[${'B-\u{1e942}'.repeat(120)}]`
    for (const source of [classes, folded]) {
      expect(await refusal({ pattern: source })).toContain('patterns are too large')
      expect(await refusal({ patternProperties: { [source]: true } })).toContain('patterns are too large')
    }
    const ordinary = Array.from({ length: 200 }, (_, i) => ({ pattern: `(?i)^[a-z0-9._-]+@[a-z]+\\p{L}?${i}$` }))
    expect(await match({ not: { anyOf: ordinary } }, 'Nobody@Example')).toBeNull()
  })

  test('nested conditions, each of which is evaluated several times, are limited', async () => {
    let deep: Json = { type: 'string' }
    for (let level = 0; level < 90; level++) deep = { if: deep, then: true, else: true }
    expect(await refusal(deep)).toContain('too long')
  })

  test('nested references to nested parts are limited', async () => {
    let deep: Json = { anyOf: Array.from({ length: 3_000 }, (_, i) => ({ const: i })) }
    for (let level = 0; level < 10; level++) deep = { properties: { a: deep } }
    const allOf: Json[] = [deep]
    for (let level = 1; level < 10; level++) allOf.push({ $ref: `#/allOf/0${'/properties/a'.repeat(level)}` })
    expect(await refusal({ allOf }, {})).toContain('more than 20000 schemas')
  })

  test.each<[string, Json, string]>([
    ['parts that allow all', { anyOf: Array(2_000).fill(true) }, 'more than 20000 schemas'],
    ['fields that are needed', { required: Array(30_000).fill('a') }, 'too long'],
    ['choices', { enum: Array(40_000).fill([]) }, 'too long'],
  ])('many %s, referenced at each level around them, are limited', async (_, inner, reason) => {
    let deep = inner
    for (let level = 0; level < 30; level++) deep = { not: deep }
    const levels = Array.from({ length: 30 }, (_, level) => ({ $ref: `#/$defs/x${'/not'.repeat(level)}` }))
    // Not evaluated, but built.
    expect(await refusal({ $defs: { x: deep }, properties: { a: { anyOf: levels } } }, {})).toContain(reason)
  })

  test.each<[string, (index: number) => Json]>([
    ['references', () => ({ $ref: '#/$defs/x' })],
    ['anchors', (index) => ({ $anchor: `a${index}` })],
    ['identifiers', (index) => ({ $id: `a${index}` })],
  ])('a long identifier above many %s is limited', async (_, partAt) => {
    const anyOf = Array.from({ length: 60 }, (_, index) => partAt(index))
    const schema = (length: number): Json => ({
      $id: `https://x.example/${'k'.repeat(length)}/`,
      $defs: { x: true },
      anyOf,
    })
    expect(await refusal(schema(100_000))).toContain('identifiers are too long')
    expect(await match(schema(1_000), 1)).toBeNull()
  })

  test('long names above many schemas are limited, and names must be valid Unicode', async () => {
    const anyOf = Array(400).fill({ type: 'null' })
    for (const name of ['k'.repeat(30_000), '€'.repeat(5_000)]) {
      expect(await refusal({ properties: { [name]: { anyOf } } }, {})).toContain(
        'too long for the number of schemas below them',
      )
      expect(await match({ properties: { [name]: { type: 'null' } } }, { [name]: 1 })).toContain('expected null')
    }
    expect(await refusal(JSON.parse('{"properties": {"\\ud800": {"type": "null"}}}'), {})).toContain(
      'not valid Unicode',
    )
    expect(await match({ properties: { a: {} } }, JSON.parse('{"\\ud800": 1}'))).toBeNull()
  })

  test('bodies with very many values, deep or wide, are limited', async () => {
    const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(await match({ items: { $ref: '#' } }, nested(300))).toBeNull()
    for (const schema of [{ items: { $ref: '#' } }, { uniqueItems: true }, { enum: [[]] }] as Json[]) {
      expect(await refusal(schema, [nested(100_000)])).toContain('nests too deep')
    }
    expect(await refusal({ type: 'array' }, Array(2_000_000).fill(0))).toContain('too many values')
    const different = Array.from({ length: 50_000 }, (_, index) => index)
    expect(await match({ uniqueItems: true, items: { type: 'integer' } }, different)).toBeNull()
    expect(await match({ uniqueItems: true }, [...different, 7])).toBe('.[50000] is a duplicate')
  })

  test('leave no schema registered', async () => {
    const before = getAllRegisteredSchemaUris()
    await match({ $id: 'https://x.example/mine', $defs: { a: { $anchor: 'a' } }, $ref: '#a' }, 1)
    await refusal({ pattern: '(' })
    await refusal({ $ref: '#' })
    expect(getAllRegisteredSchemaUris()).toEqual(before)
  })
})

describe('agrees with a validator that generates code', () => {
  const scalar = fc.oneof(
    fc.constantFrom(null, true, 0, 1, 2.5, -3, '', 'a', 'ab', 'xyz'),
    fc.integer({ min: -3, max: 6 }),
  )
  const key = fc.constantFrom('a', 'b', 'c', 'x1', 'x2')
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar as fc.Arbitrary<Json>,
      fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<Json>,
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Json>,
    ),
  }))
  const count = fc.integer({ min: 0, max: 3 })
  const { schema } = fc.letrec<{ schema: Json }>((tie) => {
    const one = tie('schema') as fc.Arbitrary<Json>
    const list = fc.array(one, { minLength: 1, maxLength: 3 })
    const keywords = {
      type: fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object'),
      enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
      const: scalar,
      minimum: count,
      exclusiveMaximum: count,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom('^a', 'b$', '^[a-x]*$'),
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      items: one,
      prefixItems: list,
      contains: one,
      minContains: count,
      maxContains: count,
      unevaluatedItems: one,
      properties: fc.dictionary(key, one, { maxKeys: 3, noNullPrototype: true }),
      patternProperties: fc.dictionary(fc.constantFrom('^x', 'a|b'), one, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: one,
      propertyNames: one,
      unevaluatedProperties: one,
      required: fc.uniqueArray(key, { maxLength: 2 }),
      minProperties: count,
      maxProperties: count,
      dependentRequired: fc.dictionary(key, fc.uniqueArray(key, { maxLength: 2 }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      dependentSchemas: fc.dictionary(key, one, { maxKeys: 2, noNullPrototype: true }),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: one,
      if: one,
      else: one,
      $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'),
    }
    const pairs = Object.entries(keywords).map(([name, arbitrary]) =>
      (arbitrary as fc.Arbitrary<Json>).map((found) => [name, found] as const),
    )
    const object = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((found) => Object.fromEntries(found) as Json)
    return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean() as fc.Arbitrary<Json>, object) }
  })

  test('on generated schemas and values', async () => {
    let matched = 0
    let differed = 0
    await fc.assert(
      fc.asyncProperty(schema, schema, value, async (root, definition, one) => {
        // `a` can only reference `b`, and `b` has no references, so no schema is endless.
        const a = JSON.parse(JSON.stringify(definition).replaceAll('#/$defs/a', '#/$defs/b'))
        const document = {
          allOf: [root],
          $defs: { a: withoutReferences(a, 'a'), b: { type: ['integer', 'array'] } },
        } as Json
        // In draft 2020-12 `contains` evaluates the items that it matches; Ajv does not support this.
        const text = JSON.stringify(document)
        fc.pre(!(text.includes('"contains"') && text.includes('"unevaluatedItems"')))
        const ajv = new Ajv2020({
          strict: false,
          logger: false,
          validateFormats: false,
          meta: false,
          validateSchema: false,
        })
        const expected = ajv.validate(document as object, one)
        const actual = (await matchSchema(document, one, false)) === null
        if (expected) matched++
        else differed++
        expect(actual).toBe(expected)
      }),
      { numRuns: 300 * CASES, seed: SEED },
    )
    // The generator is useful only if both outcomes are common.
    expect(Math.min(matched, differed)).toBeGreaterThan(50 * CASES)
  })
})

/** Replaces references to a definition, so that it cannot reference itself. */
function withoutReferences(schema: Json, name: string): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll(`#/$defs/${name}`, '#/$defs/b'))
}
