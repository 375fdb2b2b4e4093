import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { buildDocument } from '#server/rest/document.ts'
import type { ApiDocument, JsonSchema, MediaType } from '#server/rest/document-types.ts'

// Rules: no operation, parameter, body, field, header or schema is without a description and a valid example.

const document = JSON.parse(JSON.stringify(buildDocument())) as ApiDocument
const { schemas, responses, headers } = document.components

type Place = { where: string; schema: JsonSchema }

/** Returns the schemas within a schema, itself included, except those that have a name of their own. */
function within({ where, schema }: Place): Place[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const choices = (schema.anyOf ?? []) as JsonSchema[]
  return [
    { where, schema },
    ...properties.flatMap(([name, child]) => within({ where: `${where}.${name}`, schema: child })),
    ...(schema.items ? within({ where: `${where}[]`, schema: schema.items as JsonSchema }) : []),
    ...choices.flatMap((choice) => within({ where, schema: choice })),
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
  if (schema.items) return hasExample(schema.items as JsonSchema)
  return ((schema.anyOf ?? []) as JsonSchema[]).some(hasExample)
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
