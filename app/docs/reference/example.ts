import { sample } from 'openapi-sampler'
import type { JsonSchema } from '#server/fronts/rest/document-types.ts'
import { server } from '../../server.ts'

/** Returns a value of the schema as JSON. */
export function exampleOf(schema: JsonSchema): string {
  return JSON.stringify(sample(schema, { quiet: true }, server.apiDocument()), null, 2)
}
