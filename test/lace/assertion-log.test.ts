import { expect, test } from 'vitest'
import { AssertionLog, RECORD_BUDGET } from '#server/language/lace/evaluation/assertion-log.ts'
import type { AssertionRecord } from '#server/language/lace/result.ts'
import { emptyObject } from '#server/language/lace/values/json.ts'
import { DEFAULT_TEXT_LIMIT, StepBudget } from '#server/language/lace/values/limits.ts'

function newLog(): AssertionLog {
  return new AssertionLog(RECORD_BUDGET, 0, {
    variables: emptyObject(),
    runVars: emptyObject(),
    prev: null,
    response: null,
    scopes: new Set(),
    warnings: [],
    budget: new StepBudget(1_000_000_000),
    textLimit: DEFAULT_TEXT_LIMIT,
  })
}

const scope = { method: 'expect', op: 'neq', outcome: 'indeterminate', options: null } as const
const condition = { method: 'assert', kind: 'expect', outcome: 'indeterminate', options: null } as const

test.each<[what: string, record: AssertionRecord]>([
  ['a scope', { ...scope, scope: 'totalDelayMs', actual: null, expected: null }],
  ['a scope with a match', { ...scope, scope: 'redirects', match: 'first', actual: [], expected: '/home' }],
  ['a scope with options', { ...scope, scope: 'size', actual: 1, expected: 2, options: { a: 'one', b: [1, 'two'] } }],
  ['a condition', { ...condition, index: 99_999, expression: 'this.status eq 200', actualLhs: null, actualRhs: null }],
  ['long operands', { ...scope, scope: 'body', actual: 'a'.repeat(20_000), expected: 'b'.repeat(20_000) }],
])('%s is charged at least the size of its JSON, and little more', (_what, record) => {
  const log = newLog()
  log.add(record)
  const charged = RECORD_BUDGET.records - log.budget.records
  const { length } = JSON.stringify(log.records[0])
  expect(charged).toBeGreaterThanOrEqual(length)
  expect(charged).toBeLessThan(length + 40)
})

test('an operand that is left out is charged as what is left of it', () => {
  const log = newLog()
  log.budget.operands = 0
  log.add({ ...scope, scope: 'body', actual: 'a'.repeat(20_000), expected: null })
  expect(log.records[0]).toMatchObject({ actual: '…' })
  expect(RECORD_BUDGET.records - log.budget.records).toBeLessThan(140)
})
