import type { Comparison, ExpectScopeValue, FuncCall } from '../ast.ts'
import { printExpression } from '../print/expression.ts'
import type { Json } from '../values/json.ts'
import { compare, sameValue } from '../values/operators.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'
import type { ResponseView } from './response.ts'
import { outcomeOf, type Verdict } from './verdict.ts'

/**
 * More than the inline limit: the cost of a schema is unknown in advance, so schemas are always matched in a thread.
 */
const SCHEMA_MATCH_STEPS = 5_000_000

/**
 * Compares the `body` scope: `schema($var)`, arrays and objects with the body as JSON, anything else with the raw body.
 */
export async function matchBody(
  op: Comparison,
  { value, mode }: ExpectScopeValue,
  response: ResponseView,
  context: EvaluationContext,
): Promise<Verdict> {
  if (value.kind === 'funcCall' && value.name === 'schema') {
    return matchBySchema(op, value, mode === 'strict', response, context)
  }
  const expected = evaluate(value, context)
  const actual = response.bodyText
  if (typeof expected === 'object' && expected !== null) {
    const json = response.bodyJson
    const same = json !== null && sameValue(json.value, expected, context.budget)
    return { outcome: outcomeOf(op === 'neq' ? !same : op === 'eq' && same), actual, expected }
  }
  const expectedText = expected === null || typeof expected === 'string' ? expected : String(expected)
  return { outcome: outcomeOf(compare(op, actual, expectedText, context.budget)), actual, expected }
}

/** A mismatch is an ordinary failure; an invalid schema, or a body that is not JSON, is fatal. */
async function matchBySchema(
  op: Comparison,
  call: FuncCall,
  strict: boolean,
  response: ResponseView,
  context: EvaluationContext,
): Promise<Verdict> {
  const expected = printExpression(call)
  const failure = (detail: string, fatal: boolean): Verdict => {
    return { outcome: 'failed', actual: { path: '.', detail }, expected, fatal }
  }
  const variable = call.args[0]
  const document = variable === undefined ? null : evaluate(variable, context)
  if (document === null) return failure('the variable of the schema is null', true)
  const body = response.bodyJson
  if (response.bodyWarning !== null) warn(context, response.bodyWarning)
  if (body === null) return failure('the body is not valid JSON', true)
  const schema = readDocument(document)
  if (schema === undefined) return failure('the variable is not a JSON Schema document', true)
  context.budget.spend(SCHEMA_MATCH_STEPS)
  // Loading this takes half the start time of a thread, and most tasks do not need it.
  const { matchSchema, SchemaRejected } = await import('../json-schema.ts')
  const cpuBefore = process.threadCpuUsage()
  try {
    const mismatch = await matchSchema(schema, body.value, strict)
    const matches = mismatch === null
    const outcome = outcomeOf(op === 'neq' ? !matches : matches)
    return { outcome, actual: mismatch ?? { path: '.', detail: 'matches the schema' }, expected }
  } catch (error) {
    if (error instanceof SchemaRejected) return failure(`the schema cannot be used: ${error.message}`, true)
    throw error
  } finally {
    const { user, system } = process.threadCpuUsage(cpuBefore)
    context.budget.spend((user + system) * 1_000)
  }
}

/** A schema is injected as a JSON string, or as a value when the host's variables can hold one. */
function readDocument(document: Json): Json | undefined {
  if (typeof document !== 'string') return document
  try {
    return JSON.parse(document)
  } catch {
    return undefined
  }
}
