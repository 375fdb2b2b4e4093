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

/** Where a value differs from its schema, as `.user.id`, and how. */
export type Mismatch = { path: string; detail: string }

/**
 * The first mismatch of a value with a JSON Schema document, or null when it matches.
 *
 * Draft 2020-12, and what earlier drafts wrote otherwise (`definitions`, lists in `items`, `dependencies`, boolean
 * `exclusiveMinimum`). `format` and `content…` are annotations. References stay inside the document; nothing is
 * fetched. With `strict`, every field of an object that the schema describes must be declared by it.
 *
 * Evaluated by @hyperjump/json-schema, which interprets schemas and takes keywords of others: those that match patterns
 * are ours. The document is checked and written anew for it, and the evaluation watched over, because the validator
 * itself bounds nothing.
 *
 * Throws `SchemaRejected` for a document that is no schema, or that cannot be evaluated within bounds: patterns are
 * matched in linear time, and what those cannot say (lookaround, back references) is refused.
 */
export async function matchSchema(document: Json, value: Json, strict: boolean): Promise<Mismatch | null> {
  const compiled = await compileSchema(document, strict)
  const watch = new EvaluationMonitor()
  compiled.ast.plugins.add(watch)
  try {
    const { valid } = interpret(compiled, nodesOf(value))
    if (valid || watch.mismatch === null) return null
    const { node, step, detail } = watch.mismatch
    return { path: writePath(node, step), detail }
  } catch (error) {
    // The stack of whoever called may leave less room than the depth limit counts on.
    if (error instanceof RangeError) throw new SchemaRejected('it nests too deep')
    throw error
  }
}

async function compileSchema(document: Json, strict: boolean): Promise<CompiledSchema> {
  const document2020 = rewrite(checkDocument(document), strict)
  // A name that nobody else's document can refer to.
  const uri = `https://${randomUUID()}.invalid/`
  registerSchema(document2020, uri, DIALECT)
  try {
    return await compile(await getSchema(uri))
  } finally {
    unregisterSchema(uri)
  }
}
