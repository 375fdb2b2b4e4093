import type { Script } from '../../language/lace/ast.ts'
import type { AssertionRecord } from '../../language/lace/result.ts'
import type { FinishedRun } from '../record/finished-run.ts'
import type { Redactor } from '../redaction/redact.ts'

// The parts of a script that results show as written: the same in each run, so they are printed, masked and hashed
// once. They are kept as long as the script's tree, separately for each set of secrets.

export type Endpoint = { method: string; template: string }
export type WrittenAssertion = Pick<FinishedRun['assertions'][number], 'key' | 'definition'>

/** Endpoints by the index of their call, and assertions by `placeOf`, as far as runs have asked for them. */
export type WrittenParts = { endpoints: Map<number, Endpoint>; definitions: Map<string, WrittenAssertion> }

const byScript = new WeakMap<Script, WeakMap<Redactor['identity'], WrittenParts>>()

/** Returns the parts of a script that are known so far. Those of an unreadable script are kept for one run only. */
export function writtenPartsOf(ast: Script | null, { identity }: Redactor): WrittenParts {
  if (ast === null) return noParts()
  const ofScript = byScript.get(ast) ?? new WeakMap<Redactor['identity'], WrittenParts>()
  byScript.set(ast, ofScript)
  const parts = ofScript.get(identity) ?? noParts()
  ofScript.set(identity, parts)
  return parts
}

/** Returns where a script writes an assertion. The script alone decides about it, never the response. */
export function placeOf(assertion: AssertionRecord, callIndex: number): string {
  if (assertion.method === 'assert') return `${callIndex} assert ${assertion.kind} ${assertion.index}`
  const { method, scope, op, match } = assertion
  return `${callIndex} ${method} ${scope} ${op} ${match ?? ''}`
}

function noParts(): WrittenParts {
  return { endpoints: new Map(), definitions: new Map() }
}
