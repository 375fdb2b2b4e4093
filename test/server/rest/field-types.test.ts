import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '#server/rest/document-types.ts'
import { testApi } from '#test/support/api/api.ts'
import { bodySchemaOf } from '#test/support/api/body-schema.ts'
import { contract } from '#test/support/api/contract.ts'
import type { Key } from '#test/support/factories.ts'
import { sampleBody, sampleOf } from '#test/support/schema-samples.ts'

// Bodies are never coerced: a string that looks like a number or a boolean is refused, for every operation and field.

const api = testApi()
let key: Key
beforeAll(async () => {
  key = await api.create.key((await api.create.organization()).owner)
})

/** As JSON, because some have no JavaScript value. */
const WRONG: Record<string, string[]> = {
  boolean: ['"no"', '"false"', '"true"', '""', '0', '1', 'null', '[]', '{}', '[true]'],
  integer: ['"1"', '""', '1.5', 'null', '[]', '{}', 'true', '1e400', '[1]', '"0x1"'],
  string: ['0', '1', 'true', 'null', '[]', '{}', '["x"]'],
  array: ['"x"', '1', 'true', 'null', '{}', '{"0":"x"}'],
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
      body: sampleBody(body as JsonSchema),
    }))
  }),
)

describe('body fields of a wrong type', () => {
  test('cover every JSON type', () => {
    const kinds = new Set(fields.flatMap(({ types }) => types))
    expect([...kinds]).toEqual(expect.arrayContaining(['boolean', 'integer', 'string', 'array']))
  })

  test.each(fields)('$name', async ({ method, path, query, field, types, body }) => {
    const [type = ''] = types
    for (const wrong of WRONG[type] ?? []) {
      if (types.some((accepted) => isOf(accepted, wrong))) continue
      const rest = JSON.stringify({ ...body, [field]: 'HERE' }).replace('"HERE"', wrong)
      const to = path.replace('{resourceType}', 'workspace').replace(/\{[^}]+\}/g, () => randomUUID())
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
