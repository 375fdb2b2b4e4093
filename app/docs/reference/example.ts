import { sample } from 'openapi-sampler'
import type { JsonSchema } from '#server/rest/document-types.ts'
import { apiDocument } from '#server/rest/served-document.ts'

/** Returns a value of the schema as JSON. */
export function exampleOf(schema: JsonSchema): string {
  return JSON.stringify(sample(schema, { quiet: true }, apiDocument()), null, 2)
}
