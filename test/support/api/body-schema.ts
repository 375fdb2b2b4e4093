import type { ApiDocument, JsonSchema, Operation } from '#server/fronts/rest/document-types.ts'

/** Returns the schema of an operation's body, which the document has by name; undefined for an operation without one. */
export function bodySchemaOf(document: ApiDocument, operation: Operation): JsonSchema | undefined {
  const { $ref } = (operation.requestBody?.content['application/json'].schema ?? {}) as { $ref?: string }
  return $ref === undefined ? undefined : document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
}
