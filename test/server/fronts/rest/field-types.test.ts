import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema, Parameter } from '#server/fronts/rest/document-types.ts'
import { testApi } from '#test/support/api/api.ts'
import { bodySchemaOf } from '#test/support/api/body-schema.ts'
import { contract } from '#test/support/api/contract.ts'
import type { Key } from '#test/support/factories.ts'
import { sampleBody, sampleOf } from '#test/support/schema-samples.ts'

// What every operation refuses of its fields and parameters. Bodies are never coerced: a string that looks like a number or
// a boolean is refused.

const api = testApi()
let key: Key
beforeAll(async () => {
  key = await api.create.key((await api.create.organization()).owner)
})

/** As JSON, because some have no JavaScript value. */
const WRONG: Record<string, string[]> = {
  boolean: ['"false"', '""', '0', 'null', '[true]'],
  integer: ['"1"', '""', '1.5', 'null', '1e400', '[1]'],
  string: ['1', 'true', 'null', '["x"]', '{}'],
  array: ['"x"', 'null', '{"0":"x"}'],
}

const { document } = contract()
const fields = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const body = bodySchemaOf(document, operation)
    return Object.entries((body?.properties ?? {}) as Record<string, JsonSchema>).map(([field, schema]) => ({
      name: `${method.toUpperCase()} ${path} ${field}`,
      method: method.toUpperCase(),
      path,
      query: Object.fromEntries(
        (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map((parameter) => [parameter.name, String(sampleOf(parameter.name, parameter.schema))]),
      ),
      field,
      types: typesOf(schema),
      broken: brokenRules(schema, ((body?.required ?? []) as string[]).includes(field)),
      body: sampleBody(body as JsonSchema),
    }))
  }),
)

describe('body fields of a wrong type, or that break a rule of the document', () => {
  test('cover every JSON type', () => {
    const kinds = new Set(fields.flatMap(({ types }) => types))
    expect([...kinds]).toEqual(expect.arrayContaining(['boolean', 'integer', 'string', 'array']))
  })

  test.each(fields)('$name', async ({ method, path, query, field, types, broken, body }) => {
    const to = path.replace('{resourceType}', 'workspace').replace(/\{[^}]+\}/g, () => randomUUID())
    for (const value of broken) {
      const answer = await api.call(key, method, to, { query, body: { ...body, [field]: value } })
      expect({ value, status: answer.status, ...answer.body }).toMatchObject({ status: 400, details: { field } })
    }
    const [type = ''] = types
    for (const wrong of WRONG[type] ?? []) {
      if (types.some((accepted) => isOf(accepted, wrong))) continue
      const rest = JSON.stringify({ ...body, [field]: 'HERE' }).replace('"HERE"', wrong)
      const headers = { 'content-type': 'application/json' }
      const answer = await api.call(key, method, to, { rawBody: rest, query, headers })
      expect([wrong, answer.status, answer.body]).toEqual([
        wrong,
        400,
        { error: 'invalid_request_body', details: { field, reason: expect.any(String) } },
      ])
    }
  })
})

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const parameters = operation.parameters?.filter((parameter) => parameter.in !== 'header') ?? []
    const body = bodySchemaOf(document, operation)
    return {
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: body && sampleBody(body),
    }
  }),
)

describe('malformed parameters', () => {
  test.each(operations)('$name', async ({ method, path, parameters, body }) => {
    for (const [field, wrong, error] of parameters.flatMap(malformed)) {
      let to = path
      const query: Record<string, string> = {}
      for (const { name, in: place, schema, required } of parameters) {
        const value = name === field ? wrong : String(sampleOf(name, schema))
        if (place === 'path') to = to.replace(`{${name}}`, value ?? '')
        else if (value !== null && (required || name === field)) query[name] = value
      }
      if (UNKNOWN.includes(field)) query[field] = wrong ?? ''
      const answer = await api.call(key, method, to, { query, body })
      expect({ wrong, status: answer.status, ...answer.body }).toMatchObject({ status: 400, error, details: { field } })
    }
  })
})

/** Parameters that lists refuse. */
const UNKNOWN = ['filters', 'sorters']

/** What is refused: a field, its value or null for none, and the code. */
type Malformed = [field: string, value: string | null, code: string]

function malformed({ name, in: place, schema, required }: Parameter): Malformed[] {
  const invalid = (field: string, ...values: string[]) =>
    values.map((value): Malformed => [field, value, schema.format === 'uuid' ? 'invalid_uuid' : 'field_invalid'])
  return [
    ...(place === 'query' && required ? [[name, null, 'field_required'] satisfies Malformed] : []),
    ...(schema.format === 'uuid' ? invalid(name, 'x', '1') : []),
    ...(Array.isArray(schema.enum) ? invalid(name, 'none') : []),
    ...(name === 'pageSize' ? invalid(name, '0', '101', '1e1', '') : []),
    ...(name === 'page'
      ? [...invalid(name, '0', 'one', '2001'), ...UNKNOWN.flatMap((each) => invalid(each, 'a', ''))]
      : []),
  ]
}

/** Values that a field's rules in the document refuse; undefined for a missing field. */
function brokenRules(schema: JsonSchema, isRequired: boolean): unknown[] {
  const { minLength, maxLength, minimum, maximum } = schema as Record<string, number | undefined>
  return [
    ...(isRequired ? [undefined] : []),
    ...(Array.isArray(schema.enum) ? ['none', 0, 99] : []),
    ...(schema.format === 'uuid' ? ['x'] : []),
    ...(minLength ? ['', '  '] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ]
}

function typesOf(schema: JsonSchema): string[] {
  return ([] as string[]).concat(schema.type as string | string[])
}

function isOf(type: string, json: string): boolean {
  if (type === 'null') return json === 'null'
  if (type === 'object') return json.startsWith('{')
  if (type === 'array') return json.startsWith('[')
  const value = JSON.parse(json)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
