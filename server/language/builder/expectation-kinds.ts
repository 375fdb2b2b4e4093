import { printString } from '../lace/print/string.ts'
import { textProblem } from './problems.ts'
import { expressionProblem } from './read-steps.ts'
import type { Assertion } from './steps.ts'

export type ExpectationKind = 'status' | 'contains' | 'field' | 'header' | 'slower' | 'condition'

type Words = { label: string; nameLabel?: string; valueLabel: string; placeholder?: string }

export const EXPECTATIONS: Record<ExpectationKind, Words> = {
  status: { label: 'Status', valueLabel: 'Status', placeholder: '200, or <400' },
  contains: { label: 'Body contains', valueLabel: 'Text' },
  field: { label: 'Field of the JSON', nameLabel: 'Field', valueLabel: 'Value', placeholder: 'ok' },
  header: { label: 'Header', nameLabel: 'Name of the header', valueLabel: 'Value' },
  slower: { label: 'Time limit', valueLabel: 'Milliseconds', placeholder: '2000' },
  condition: { label: 'Condition', valueLabel: 'Expression', placeholder: 'count(this.body.items) gt 0' },
}

/** Returns the assertion of what a member entered, or what is wrong with it. */
export function assertionOf(kind: ExpectationKind, name: string, value: string): Assertion | string {
  if (value === '') return 'Enter a value'
  const problem = kind === 'condition' ? null : textProblem(value)
  if (problem) return problem
  switch (kind) {
    case 'status': {
      const [, below, status] = /^(<?)\s*([1-5]\d\d)$/.exec(value) ?? []
      if (status === undefined) return 'Enter a status such as 200, or <400'
      return {
        kind: 'scope',
        level: 'expect',
        scope: 'status',
        value: below ? `{ value: ${status}, op: "lt" }` : status,
      }
    }
    case 'contains':
      return condition(`includes(${printString(value)}, this.body)`)
    case 'field': {
      if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name)) return 'Name a field such as data.status'
      const literal = /^(true|false|null|-?\d+(\.\d+)?)$/.test(value) ? value : printString(value)
      return condition(`this.body.${name} eq ${literal}`)
    }
    case 'header':
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return 'Enter the name of a header'
      return { kind: 'header', level: 'expect', name, value }
    case 'slower':
      if (!/^[1-9]\d{0,5}$/.test(value)) return 'Enter milliseconds'
      return { kind: 'scope', level: 'expect', scope: 'totalDelayMs', value }
    case 'condition':
      return expressionProblem(value) ?? condition(value)
  }
}

function condition(expression: string): Assertion {
  return { kind: 'condition', level: 'expect', expression }
}
