import { randomUUID } from 'node:crypto'
import { registerSchema, unregisterSchema } from '@hyperjump/json-schema/draft-2020-12'
import { type CompiledSchema, compile, getSchema, interpret } from '@hyperjump/json-schema/experimental'
import { checkDocument, SchemaRejected } from './json-schema/check.ts'
import { DIALECT } from './json-schema/dialect.ts'
import { EvaluationMonitor, nodesOf } from './json-schema/monitor.ts'
import { writePath } from './json-schema/path.ts'
import { rewrite } from './json-schema/rewrite.ts'
import type { Json } from './values/json.ts'

export { SchemaRejected } from './json-schema/check.ts'

/** The path of the mismatch in the value, such as `.user.id`, and its description. */
export type Mismatch = { path: string; detail: string }

/**
 * Returns the first mismatch of a value with a JSON Schema document, or null when it matches. With `strict`, an object
 * that the schema describes may have declared fields only. Supports draft 2020-12 and earlier forms (`definitions`,
 * arrays in `items`, `dependencies`, boolean `exclusiveMinimum`). `format` and `content…` are annotations. References
 * must stay inside the document. Patterns are matched in linear time, so lookaround and back references are rejected.
 * @throws SchemaRejected when the document is not a schema or its evaluation exceeds the limits
 */
export async function matchSchema(document: Json, value: Json, strict: boolean): Promise<Mismatch | null> {
  // @hyperjump/json-schema accepts keywords of ours for patterns. It has no limits, so the evaluation is monitored.
  const compiled = await compileSchema(document, strict)
  const watch = new EvaluationMonitor()
  compiled.ast.plugins.add(watch)
  try {
    const { valid } = interpret(compiled, nodesOf(value))
    if (valid || watch.mismatch === null) return null
    const { node, step, detail } = watch.mismatch
    return { path: writePath(node, step), detail }
  } catch (error) {
    // A caller deep in the stack may leave less of it than the depth limit assumes.
    if (error instanceof RangeError) throw new SchemaRejected('it nests too deep')
    throw error
  }
}

async function compileSchema(document: Json, strict: boolean): Promise<CompiledSchema> {
  const document2020 = rewrite(checkDocument(document), strict)
  // A URI that no other document can refer to.
  const uri = `https://${randomUUID()}.invalid/`
  registerSchema(document2020, uri, DIALECT)
  try {
    return await compile(await getSchema(uri))
  } finally {
    unregisterSchema(uri)
  }
}
