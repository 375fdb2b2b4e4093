import type { Json } from './executor/json.ts'
import { compileSchema } from './json-schema/compile.ts'
import { evaluateSchema, type Mismatch } from './json-schema/evaluate.ts'

export { SchemaRefused } from './json-schema/compile.ts'
export type { Mismatch } from './json-schema/evaluate.ts'

/**
 * The first mismatch of a value with a JSON Schema document, or null when it matches.
 *
 * Draft 2020-12, and what earlier drafts wrote otherwise (`definitions`, lists in `items`, `dependencies`, boolean
 * `exclusiveMinimum`). `format` and `content…` are annotations. References stay inside the document; nothing is
 * fetched. With `strict`, every field of an object that the schema describes must be declared by it.
 *
 * Throws `SchemaRefused` for a document that is no schema, or that cannot be evaluated within bounds: patterns are
 * matched in linear time, and what those cannot say (lookaround, back references) is refused.
 *
 * Our own, because no interpreter of schemas to be found takes another regex engine and stands hostile input: one that
 * does the former throws on a body with a key called `constructor`, and takes exponential time for shared references.
 */
export function matchSchema(document: Json, value: Json, strict: boolean): Mismatch | null {
  return evaluateSchema(compileSchema(document), value, strict)
}
