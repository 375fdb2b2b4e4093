import type { Operation, Parameter } from '#server/fronts/rest/document-types.ts'
import { exampleOf } from './example.ts'
import { type Field, fieldOf } from './fields.ts'
import type { RequestShape } from './request.ts'

/** An operation with its address. */
export type OperationAt = { method: string; path: string; operation: Operation }

export function parametersIn(place: Parameter['in'], operation: Operation): Field[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required, description }) => {
      const field = fieldOf(name, schema, required === true)
      return { ...field, description: description ?? field.description }
    })
}

export function shapeOf({ method, path, operation }: OperationAt): RequestShape {
  const body = operation.requestBody?.content['application/json']
  return {
    method,
    path,
    parameters: (operation.parameters ?? []).flatMap(({ name, in: place, required, schema }) => {
      if (place === 'header') return []
      const { type, values } = fieldOf(name, schema, required === true)
      return { name, in: place, isRequired: required === true, type, values }
    }),
    // Of a body whose fields exclude each other, the document has an example.
    body: body ? (body.example ? JSON.stringify(body.example, null, 2) : exampleOf(body.schema)) : null,
  }
}
