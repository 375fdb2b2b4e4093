import { describe, expect, test } from 'vitest'
import { findOperation, operationGroups, responsesOf } from '#app/docs/reference/document.ts'
import { exampleOf } from '#app/docs/reference/example.ts'
import { type Field, fieldOf, fieldsOf } from '#app/docs/reference/fields.ts'
import { operationMarkdown } from '#app/docs/reference/operation-markdown.ts'
import { addressOf } from '#app/docs/reference/request.ts'

// The API reference on /docs, which is made from the OpenAPI document.

const operations = operationGroups().flatMap((group) => group.operations)

function flat(fields: Field[]): Field[] {
  return fields.flatMap((field) => [field, ...flat(field.fields)])
}

describe('operations', () => {
  test('each is in one group', () => {
    expect(operations.length).toBeGreaterThan(70)
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })

  test('the fields of every body are known by type, and its example has them', () => {
    for (const { id } of operations) {
      const found = findOperation(id)
      const responses = responsesOf(found?.operation as NonNullable<typeof found>['operation'])
      for (const [status, { content }] of responses) {
        const schema = content?.['application/json'].schema
        if (!schema) continue
        const fields = fieldsOf(schema)
        expect(
          flat(fields).filter(({ type }) => type === '' || type.includes('undefined')),
          `${id} ${status}`,
        ).toEqual([])
        const example = JSON.parse(exampleOf(schema))
        const entry = Array.isArray(example) ? example[0] : example
        if (typeof entry !== 'object') continue
        expect(Object.keys(entry), `${id} ${status}`).toEqual(fields.map(({ name }) => name))
      }
    }
  })

  test('the call of each is the example of the document, whose fields do not exclude each other', () => {
    const called = (id: string) => operationMarkdown(findOperation(id) as never)
    expect(called('createMaintenance')).toContain('"minutes": 20')
    expect(called('createMaintenance')).not.toMatch(/-d '[^']*"rule"/)
  })

  test('each part of one stands once', () => {
    for (const { id } of operations) {
      const parts = operationMarkdown(findOperation(id) as NonNullable<ReturnType<typeof findOperation>>).match(
        /^## .*$/gm,
      )
      expect(new Set(parts).size, id).toBe(parts?.length)
    }
    expect(operationMarkdown(findOperation('runService') as never)).toContain('## Headers')
  })

  test('an unknown one is not found', () => {
    expect(findOperation('constructor')).toBeUndefined()
  })
})

describe('fields', () => {
  test('have types, bounds and the known values of open and closed enumerations', () => {
    expect(fieldOf('x', { type: ['string', 'null'], 'x-extensible-enum': ['a', 'b'] }, false)).toMatchObject({
      type: 'string or null',
      values: ['a', 'b'],
      isOpen: true,
    })
    expect(fieldOf('x', { type: 'string', enum: ['a'] }, true)).toMatchObject({ values: ['a'], isOpen: false })
    expect(fieldOf('x', { 'x-any-of': [{ type: 'string' }, { type: 'integer' }] }, false).type).toBe(
      'string or integer',
    )
    expect(fieldOf('x', { type: 'integer', minimum: 1, maximum: 1000, default: 5 }, false).facts).toEqual([
      '1 to 1,000',
      'default 5',
    ])
    expect(fieldOf('x', { type: 'array', items: { $ref: '#/components/schemas/Project' } }, false)).toMatchObject({
      type: 'array of Project',
      fields: expect.arrayContaining([expect.objectContaining({ name: 'workspaceId', type: 'string (uuid)' })]),
    })
  })
})

test('addresses have the values of parameters, encoded, without empty ones', () => {
  const parameter = { isRequired: false, type: 'string', values: [] }
  const shape = {
    method: 'GET',
    path: '/a/{id}/b',
    parameters: [
      { ...parameter, name: 'id', in: 'path' as const },
      { ...parameter, name: 'q', in: 'query' as const },
      { ...parameter, name: 'page', in: 'query' as const },
    ],
    body: null,
  }
  expect(addressOf(shape, { id: 'x/y', q: 'a b', page: '' })).toBe('/a/x%2Fy/b?q=a+b')
})
