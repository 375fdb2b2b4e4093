import { BODY_MODES, type Call, COMPARISONS, type ExpectScopeValue, type Expr, REDIRECT_MATCHES } from '../ast.ts'
import { EXPECT_SCOPE_FIELDS } from '../parser/words.ts'
import { SIZE } from '../sizes.ts'
import { readStoreKey } from '../store-key.ts'
import { didYouMean, quote } from '../suggest.ts'
import type { Registry } from './registry.ts'
import type { Report } from './report.ts'

/** Checks a call's chain, except its expressions. `assigned` collects the run variables of all calls. */
export function checkChain(call: Call, index: number, report: Report, assigned: Set<string>, registry: Registry): void {
  const { chain } = call
  for (const method of ['expect', 'check'] as const) {
    const block = chain[method]
    if (!block) continue
    if (Object.keys(block).length === 0) {
      report('EMPTY_SCOPE_BLOCK', index, method, null, () => `\`.${method}()\` checks nothing`, block)
    }
    for (const [scope, value] of Object.entries(block)) checkExpectScope(index, method, scope, value, report)
  }
  if (chain.assert && !chain.assert.expect?.length && !chain.assert.check?.length) {
    report('EMPTY_ASSERT_BLOCK', index, 'assert', null, () => '`.assert()` has no condition', chain.assert)
  }
  if (!chain.store) return
  const keys = Object.keys(chain.store)
  if (keys.length === 0)
    report('EMPTY_STORE_BLOCK', index, 'store', null, () => '`.store()` stores nothing', chain.store)
  for (const key of keys) {
    const target = readStoreKey(key, registry.scopes)
    if (target.kind === 'run') {
      if (assigned.has(target.name)) {
        const detail = () => `${quote(key)} is assigned more than once in the script`
        report('RUN_VAR_REASSIGNED', index, 'store', target.name, detail, chain.store, key)
      }
      assigned.add(target.name)
    } else if (target.foreignScope !== null) {
      const innermost = registry.scopes.at(-1)
      const detail = () => `${quote(key)} cannot be written to: a script writes back to \`$${innermost}.\` only`
      report('VARIABLE_UNKNOWN', index, 'store', key.slice(1), detail, chain.store, key)
    }
  }
}

function checkExpectScope(
  index: number,
  method: 'expect' | 'check',
  scope: string,
  value: ExpectScopeValue,
  report: Report,
): void {
  const { op, match, mode, value: expr } = value
  const checkWord = (field: string, word: string | undefined, known: readonly string[]) => {
    if (word === undefined || known.includes(word)) return
    const detail = () =>
      `${quote(word)} is not a valid \`${field}\`${didYouMean(word, known) || `; valid are ${known.join(', ')}`}`
    // The registry has no separate code for these words, because the grammar lists them.
    report('PARSE_ERROR', index, method, `${scope}.${field}`, detail, value)
  }
  if (op !== undefined && !COMPARISONS.includes(op)) {
    const detail = () =>
      `${quote(op)} is not an operator${didYouMean(op, COMPARISONS) || `; the operators are ${COMPARISONS.join(', ')}`}`
    report('OP_VALUE_INVALID', index, method, scope, detail, value)
  }
  checkWord('match', match, REDIRECT_MATCHES)
  checkWord('mode', mode, BODY_MODES)
  for (const { key, hint } of misspeltFields(expr)) {
    const detail = () =>
      `${quote(key)} is not a field of the scope \`${scope}\`, so it is compared with the response${hint}`
    report('EXT_FIELD_INACTIVE', index, method, `${scope}.${key}`, detail, value)
  }
  if (scope !== 'bodySize' || expr.kind !== 'literal') return
  const size = expr.value
  const isSize = typeof size === 'string' ? SIZE.test(size) || size.includes('$') : expr.valueType === 'int'
  if (!isSize) {
    const detail = () =>
      `${quote(String(size))} is not a size: a size is a number with k, kb, m, mb, g or gb, such as "50kb"`
    report('MAX_BODY_FORMAT', index, method, scope, detail, expr)
  }
}

/** Finds fields of an object that look like fields of the long form, such as `val` in `body: { val: "OK" }`. */
function* misspeltFields(expr: Expr): Generator<{ key: string; hint: string }> {
  if (expr.kind !== 'objectLit') return
  for (const { key } of expr.entries) {
    const hint = didYouMean(key, EXPECT_SCOPE_FIELDS)
    if (hint || EXPECT_SCOPE_FIELDS.includes(key)) yield { key, hint }
  }
}
