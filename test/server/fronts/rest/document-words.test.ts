import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { clientTypes } from '#server/commands/write-client.ts'
import { buildDocument } from '#server/fronts/rest/document.ts'
import { tidy } from '#server/fronts/rest/document-schemas.ts'
import type { ApiDocument, JsonSchema, MediaType } from '#server/fronts/rest/document-types.ts'

// Rules: no operation, parameter, body, field, header or schema is without a description and a valid example. Generators of
// many languages write wrong code, or none, for choices between schemas. So the document has none.

const document = JSON.parse(JSON.stringify(buildDocument())) as ApiDocument
const { schemas, responses, headers } = document.components

type Place = { where: string; schema: JsonSchema }

/** Returns the schemas within a schema, itself included, except those that have a name of their own. */
function within({ where, schema }: Place): Place[] {
  const { properties = {}, items, additionalProperties, propertyNames } = schema as Record<string, JsonSchema>
  const parts = [...Object.entries(properties), ['[]', items], ['*', additionalProperties], ['key', propertyNames]]
  const children = (parts as [string, JsonSchema][]).filter(([, part]) => typeof part === 'object')
  return [
    { where, schema },
    ...children.flatMap(([name, child]) => within({ where: `${where}.${name}`, schema: child })),
  ]
}

function fieldsOf(place: Place): Place[] {
  return within(place).flatMap(({ where, schema }) =>
    Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, child]) => ({
      where: `${where}.${name}`,
      schema: child,
    })),
  )
}

function resolved(schema: JsonSchema): JsonSchema {
  return typeof schema.$ref === 'string' ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema
}

/** An object is described by the examples of its fields, and a list by that of its entries. */
function hasExample(schema: JsonSchema): boolean {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return true
  if (typeof schema.$ref === 'string') return true
  if (schema.properties) return true
  return schema.items !== undefined && hasExample(schema.items as JsonSchema)
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ where: `${method.toUpperCase()} ${path}`, operation })),
)
const bodies: Place[] = operations.flatMap(({ where, operation }) => {
  const given = operation.requestBody?.content['application/json'].schema
  const answers = Object.values(operation.responses).flatMap((response) =>
    '$ref' in response || !response.content ? [] : [response.content['application/json'].schema],
  )
  return [...(given ? [given] : []), ...answers].map((schema) => ({ where, schema }))
})
const named: Place[] = Object.entries(schemas).map(([where, schema]) => ({ where, schema }))
const media: { where: string; schema: JsonSchema; example: unknown }[] = [
  ...operations.flatMap(({ where, operation }) => [
    ...examplesOf(`${where} request`, operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, response]) =>
      '$ref' in response ? [] : examplesOf(`${where} ${status}`, response.content),
    ),
  ]),
  ...Object.entries(responses).flatMap(([name, response]) => examplesOf(name, response.content)),
]

function examplesOf(where: string, content: { 'application/json': MediaType } | undefined) {
  if (!content) return []
  const { schema, example, examples = {} } = content['application/json']
  const all = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples as Record<string, { value: unknown }>).map(({ value }) => value),
  ]
  return all.length === 0
    ? [{ where, schema, example: undefined }]
    : all.map((each) => ({ where, schema, example: each }))
}

const SENTENCE = /^[A-Z`0-9].*[.]$/s

describe('descriptions', () => {
  test('no operation is without one, or says only its summary', () => {
    const wrong = operations.filter(
      ({ operation: { summary, description } }) => !SENTENCE.test(description) || description.startsWith(`${summary}.`),
    )
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  test('no parameter is without one', () => {
    const wrong = operations.flatMap(({ where, operation }) =>
      (operation.parameters ?? [])
        .filter(({ description }) => !SENTENCE.test(description ?? ''))
        .map(({ name }) => `${where} ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('no schema with a name is without one', () => {
    expect(named.filter(({ schema }) => !SENTENCE.test(String(schema.description))).map(({ where }) => where)).toEqual(
      [],
    )
  })

  test('no field is without one', () => {
    const wrong = [...named, ...bodies]
      .flatMap(fieldsOf)
      .filter(({ schema }) => !SENTENCE.test(String(schema.description ?? resolved(schema).description)))
    expect(named.flatMap(fieldsOf).length).toBeGreaterThan(300)
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  test('no header or tag is without one', () => {
    const tags = document.tags as { name: string; description?: string }[]
    const described = [...tags, ...(Object.values(headers) as { description?: string }[])]
    expect(described.filter(({ description }) => !SENTENCE.test(description ?? ''))).toEqual([])
  })
})

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })

  const problemsOf = (where: string, schema: JsonSchema, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = ajv.compile(JSON.parse(text))
    return validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`]
  }

  test('every parameter has a valid one', () => {
    const wrong = operations.flatMap(({ where, operation }) =>
      (operation.parameters ?? []).flatMap(({ name, schema, example }) =>
        example === undefined ? [`${where} ${name}`] : problemsOf(`${where} ${name}`, schema, example),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('no field is without one', () => {
    const wrong = [...named, ...bodies].flatMap(fieldsOf).filter(({ schema }) => !hasExample(schema))
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  test('those of schemas are valid', () => {
    const wrong = [...named, ...bodies].flatMap(within).flatMap(({ where, schema }) => {
      const { examples, ...rest } = schema
      return ((examples ?? []) as unknown[]).flatMap((example) => problemsOf(where, rest, example))
    })
    expect(wrong).toEqual([])
  })

  test('every request and response has a valid one', () => {
    const wrong = media.flatMap(({ where, schema, example }) =>
      example === undefined ? [`${where} has none`] : problemsOf(where, schema, example),
    )
    expect(wrong).toEqual([])
  })
})

describe('shapes', () => {
  const places = [
    ...named,
    ...Object.entries(headers as Record<string, { schema: JsonSchema }>).map(([where, { schema }]) => ({
      where,
      schema,
    })),
    ...operations.flatMap(({ where, operation }) =>
      (operation.parameters ?? []).map(({ name, schema }) => ({ where: `${where} ${name}`, schema })),
    ),
  ].flatMap(within)
  const wrong = (isWrong: (schema: JsonSchema) => boolean) =>
    places.filter(({ schema }) => isWrong(schema)).map(({ where }) => where)
  const isNullable = (types: string[]) => types.length === 2 && types[0] !== 'null' && types[1] === 'null'

  test('no schema is a choice between schemas', () => {
    expect(places.length).toBeGreaterThan(800)
    expect(wrong((schema) => 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)).toEqual([])
  })

  test('what may be null has one type and null', () => {
    const nullable = places.filter(({ schema: { type } }) => Array.isArray(type))
    expect(nullable.length).toBeGreaterThan(150)
    expect(wrong(({ type }) => type === 'null' || (Array.isArray(type) && !isNullable(type)))).toEqual([])
    expect(
      wrong(({ type, enum: values }) => Array.isArray(type) && Array.isArray(values) && !values.includes(null)),
    ).toEqual([])
  })

  test('an open enumeration is a string that names its known values', () => {
    const open = places.filter(({ schema }) => 'x-extensible-enum' in schema)
    expect(open.length).toBeGreaterThan(45)
    expect(
      wrong((schema) => 'x-extensible-enum' in schema && ([schema.type].flat()[0] !== 'string' || 'enum' in schema)),
    ).toEqual([])
  })

  test('the body of every request has the name of its operation', () => {
    const withBody = operations.map(({ operation }) => operation).filter(({ requestBody }) => requestBody)
    expect(withBody.length).toBeGreaterThan(25)
    for (const { operationId, requestBody } of withBody) {
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
      expect(requestBody?.content['application/json'].schema).toEqual({ $ref: `#/components/schemas/${name}` })
      expect(schemas[name]).toMatchObject({ type: 'object', properties: expect.any(Object) })
    }
  })

  test('every choice that the library writes has such a form', () => {
    const Member = { type: 'object', description: 'A member.', properties: { name: { type: 'string' } } }
    const choices = {
      word: { anyOf: [{ type: 'string', 'x-extensible-enum': ['a'] }, { type: 'null' }], description: 'A word.' },
      level: {
        anyOf: [
          { type: 'number', const: 1 },
          { type: 'number', const: 2 },
        ],
      },
      closed: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      member: { anyOf: [{ $ref: '#/components/schemas/Member' }, { type: 'null' }], description: 'Who.' },
      values: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    }
    const given = { Member, Choices: { type: 'object', properties: choices } }
    const tidied = tidy(given, given) as Record<string, JsonSchema>
    expect(tidied.Choices?.properties).toEqual({
      word: { type: ['string', 'null'], 'x-extensible-enum': ['a'], description: 'A word.' },
      level: { type: 'integer', enum: [1, 2] },
      closed: { type: ['string', 'null'], enum: ['a', null] },
      member: { type: ['object', 'null'], description: 'Who.', properties: { name: { type: 'string' } } },
      values: { 'x-any-of': choices.values.anyOf },
    })
  })

  test('the TypeScript client has unions in their place', async () => {
    const types = await clientTypes()
    expect(types).toContain('state: ("open" | "closed") | string;')
    expect(types).toContain('phase: ("dns" | "connect" | "tls" | "ttfb" | "transfer") | (string | null);')
    expect(types).toContain('[key: string]: string | string[];')
    // A field with a default can be left out.
    expect(types).toContain('type?: "variable" | "secret" | "metric";')
  })
})
