import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { buildDocument } from '#server/fronts/rest/document.ts'
import type { ApiDocument, DocumentResponse, JsonSchema } from '#server/fronts/rest/document-types.ts'
import { breakingChanges } from '#test/support/api/additive.ts'
import { bodySchemaOf } from '#test/support/api/body-schema.ts'

const BASE = '/api/public/v1'
const document = JSON.parse(JSON.stringify(buildDocument())) as ApiDocument

test('the document has no breaking change since the baseline', async () => {
  const baseline = JSON.parse(await readFile(new URL('v1.baseline.json', import.meta.url), 'utf8'))
  expect(breakingChanges(baseline, document)).toEqual([])
})

/** Changes a copy of the document. */
type Change = (changed: ApiDocument) => void

const operation = (changed: ApiDocument, method: string, path: string) => {
  const found = changed.paths[BASE + path]?.[method]
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}
const body = (changed: ApiDocument, method: string, path: string) =>
  bodySchemaOf(changed, operation(changed, method, path)) as {
    properties: Record<string, JsonSchema>
    required: string[]
  }
const component = (changed: ApiDocument, name: string) =>
  changed.components.schemas[name] as { properties: Record<string, JsonSchema>; required: string[] }
const codesOf = (changed: ApiDocument, method: string, path: string, status: string) =>
  operation(changed, method, path)['x-error-codes'][status] as string[]
const renameComponent = (changed: ApiDocument, kind: 'schemas' | 'responses', name: string) => {
  const text = JSON.stringify(changed).replaceAll(`"#/components/${kind}/${name}"`, `"#/components/${kind}/Renamed"`)
  Object.assign(changed, JSON.parse(text))
  const components: Record<string, unknown> = changed.components[kind]
  components.Renamed = components[name]
  delete components[name]
}
const without = (list: string[], name: string) => list.filter((each) => each !== name)

const BREAKING: Record<string, Change> = {
  'a path is gone': (d) => delete d.paths[`${BASE}/key`],
  'a method is gone': (d) => delete d.paths[`${BASE}/workspaces`]?.post,
  'an operationId changed': (d) => {
    operation(d, 'get', '/key').operationId = 'readKey'
  },
  'a parameter is gone': (d) => {
    operation(d, 'get', '/workspaces').parameters = []
  },
  'a parameter is required': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces').parameters ?? []) parameter.required = true
  },
  'a new parameter is required': (d) => {
    operation(d, 'get', '/key').parameters = [{ name: 'x', in: 'query', required: true, schema: { type: 'string' } }]
  },
  'a parameter moved': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces/{id}').parameters ?? []) parameter.in = 'query'
  },
  'a parameter has another type': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces').parameters ?? []) parameter.schema.type = 'boolean'
  },
  'a parameter has a lower maximum': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces').parameters ?? []) parameter.schema.maximum = 10
  },
  'a parameter accepts fewer values': (d) => {
    const [first] = operation(d, 'get', '/webhooks/bindings').parameters ?? []
    if (first) first.schema.enum = ['workspace']
  },
  'a body is required': (d) => {
    operation(d, 'post', '/services/{id}/run').requestBody = {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    }
  },
  'a body field is gone': (d) => delete body(d, 'post', '/workspaces').properties.name,
  'a body field is required': (d) => {
    const schema = body(d, 'post', '/services')
    schema.required = [...schema.required, 'label']
  },
  'a new body field is required': (d) => {
    const schema = body(d, 'post', '/workspaces')
    schema.properties.colour = { type: 'string' }
    schema.required = [...schema.required, 'colour']
  },
  'a body field has a lower maximum length': (d) => {
    body(d, 'post', '/workspaces').properties.name = { type: 'string', minLength: 1, maxLength: 64 }
  },
  'a body field has a new bound': (d) => {
    body(d, 'put', '/services/{id}/agents').properties.slugs = {
      ...(body(d, 'put', '/services/{id}/agents').properties.slugs as JsonSchema),
      maxItems: 1,
    }
  },
  'a body field accepts fewer values': (d) => {
    const field = body(d, 'patch', '/services/{id}').properties.probeMode as JsonSchema
    field.enum = ['random']
  },
  'the default of a parameter changed': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces').parameters ?? []) parameter.schema.default = 100
  },
  'the default of a body field changed': (d) => {
    const field = body(d, 'post', '/variables').properties.type as JsonSchema
    field.default = 'secret'
  },
  'a body field has no default any more': (d) => {
    const field = body(d, 'post', '/variables').properties.type as JsonSchema
    delete field.default
  },
  'an operation needs another credential': (d) => {
    operation(d, 'get', '/key').security = [{ session: [] }]
  },
  'every operation needs one more credential': (d) => {
    d.security = [{ apiKey: [], session: [] }]
  },
  'an operation needs no credential any more': (d) => {
    operation(d, 'get', '/key').security = []
  },
  'the credential is sent in another way': (d) => {
    d.components.securitySchemes.apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' }
  },
  'a success status changed': (d) => {
    const { responses } = operation(d, 'get', '/key')
    responses['201'] = responses['200'] as DocumentResponse
    delete responses['200']
  },
  'another success status appears': (d) => {
    operation(d, 'get', '/key').responses['204'] = { description: 'nothing' }
  },
  'an error status is gone': (d) => delete operation(d, 'post', '/workspaces').responses['409'],
  'an error code is gone': (d) => {
    codesOf(d, 'post', '/workspaces', '400').shift()
  },
  'the body of errors loses a field': (d) => {
    const error = component(d, 'Error')
    delete error.properties.doc
    error.required = without(error.required, 'doc')
  },
  'a detail of errors is gone': (d) => delete component(d, 'ErrorDetails').properties.field,
  'a detail of errors has another type': (d) => {
    component(d, 'ErrorDetails').properties.max = { type: 'string' }
  },
  'a response field is gone': (d) => {
    const schema = component(d, 'Workspace')
    delete schema.properties.createdAt
    schema.required = without(schema.required, 'createdAt')
  },
  'a response field is optional': (d) => {
    const schema = component(d, 'Workspace')
    schema.required = without(schema.required, 'createdAt')
  },
  'a response field may be null': (d) => {
    component(d, 'Workspace').properties.name = { type: ['string', 'null'] }
  },
  'a response field has another type': (d) => {
    component(d, 'WorkspacePage').properties.total = { type: 'string' }
  },
  'a response field has another format': (d) => {
    component(d, 'Workspace').properties.createdAt = { type: 'string', format: 'date' }
  },
  'an array in a response has other entries': (d) => {
    component(d, 'WorkspacePage').properties.items = { type: 'array', items: { type: 'string' } }
  },
  'a header is gone': (d) => {
    const response = operation(d, 'get', '/key').responses['200'] as DocumentResponse
    delete response.headers?.['X-RateLimit-Limit']
  },
}

const ADDITIVE: Record<string, Change> = {
  'a new path': (d) => {
    d.paths[`${BASE}/new`] = { get: { ...operation(d, 'get', '/key'), operationId: 'getNew' } }
  },
  'a new method': (d) => {
    const methods = d.paths[`${BASE}/key`]
    if (methods) methods.patch = { ...operation(d, 'get', '/key'), operationId: 'patchKey' }
  },
  'a new optional parameter': (d) => {
    operation(d, 'get', '/key').parameters = [{ name: 'x', in: 'query', schema: { type: 'string' } }]
  },
  'a wider parameter': (d) => {
    for (const parameter of operation(d, 'get', '/workspaces').parameters ?? []) parameter.schema.maximum = 1_000_000
  },
  'a parameter becomes optional': (d) => {
    for (const parameter of operation(d, 'get', '/projects').parameters ?? []) parameter.required = false
  },
  'a new optional body field': (d) => {
    body(d, 'post', '/workspaces').properties.colour = { type: 'string' }
  },
  'a body field has a higher maximum length': (d) => {
    body(d, 'post', '/workspaces').properties.name = { type: 'string', minLength: 1, maxLength: 256 }
  },
  'a body field that may be null': (d) => {
    body(d, 'post', '/workspaces').properties.name = { type: ['string', 'null'], minLength: 1, maxLength: 128 }
  },
  'a new value of a body field': (d) => {
    const field = body(d, 'patch', '/services/{id}').properties.probeMode as JsonSchema
    field.enum = [...(field.enum as string[]), 'nearest']
  },
  'a default where the document had none': (d) => {
    const field = body(d, 'post', '/workspaces').properties.name as JsonSchema
    field.default = 'Storefront'
  },
  'another credential beside the present one': (d) => {
    d.security = [{ apiKey: [] }, { session: [] }]
  },
  'another description of the credential': (d) => {
    d.components.securitySchemes.apiKey = { ...d.components.securitySchemes.apiKey, description: 'A key.' }
  },
  'a new field of an answer': (d) => {
    const schema = component(d, 'Workspace')
    schema.properties.colour = { type: 'string' }
    schema.required = [...schema.required, 'colour']
  },
  'a response field becomes required': (d) => {
    const schema = component(d, 'Project')
    schema.required = Object.keys(schema.properties)
  },
  'a new value in an open enumeration': (d) => {
    const field = component(d, 'ApiKeyInfo').properties.access as JsonSchema
    field['x-extensible-enum'] = [...(field['x-extensible-enum'] as string[]), 'admin']
  },
  'a new code at a known status': (d) => {
    codesOf(d, 'post', '/workspaces', '400').push('name_reserved')
  },
  'a new error status': (d) => {
    operation(d, 'get', '/key').responses['418'] = { description: 'a teapot' }
  },
  'a new detail of errors': (d) => {
    component(d, 'ErrorDetails').properties.colour = { type: 'string' }
  },
  'a schema with another name': (d) => renameComponent(d, 'schemas', 'Workspace'),
  'a shared response with another name': (d) => renameComponent(d, 'responses', 'Conflict'),
  'a schema in place of its reference': (d) => {
    const schema = operation(d, 'get', '/key').responses['200'] as DocumentResponse
    schema.content = { 'application/json': { schema: structuredClone(component(d, 'ApiKeyInfo')) } }
  },
  'another example': (d) => {
    component(d, 'Workspace').properties.name = { type: 'string', examples: ['another'] }
  },
  'another description': (d) => {
    operation(d, 'get', '/key').summary = 'Something else'
    d.info.description = 'Something else'
  },
}

const changed = (change: Change): ApiDocument => {
  const copy = structuredClone(document)
  change(copy)
  expect(copy).not.toEqual(document)
  return copy
}

test('a breaking change is named by its path', () => {
  const named = (name: string) => breakingChanges(document, changed(BREAKING[name] as Change))
  expect(named('an error code is gone')).toEqual([`POST ${BASE}/workspaces 400: the error code field_invalid is gone`])
  expect(named('a body field is gone')).toContain(`POST ${BASE}/workspaces body.name is gone`)
  expect(named('a response field is gone')).toContain(`GET ${BASE}/workspaces 200.items[].createdAt is gone`)
})

describe('is found to be breaking:', () => {
  test.each(Object.entries(BREAKING))('%s', (_, change) => {
    expect(breakingChanges(document, changed(change))).not.toEqual([])
  })
})

describe('is found to be additive:', () => {
  test.each(Object.entries(ADDITIVE))('%s', (_, change) => {
    expect(breakingChanges(document, changed(change))).toEqual([])
  })
})
