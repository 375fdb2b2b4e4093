import { type Node, textOf } from '#server/script-import/nodes.ts'
import type { ImportedRequest } from '#server/script-import/request.ts'
import { hasVariable, type Split, splitNothing } from '#server/script-import/templates.ts'
import type { Notes } from './checks.ts'
import { ANY_STATUS, bodyPath, contains, headerExpression, literal, stringLiteral } from './conditions.ts'

/** Adds the assertions of Checkly to a request. Those that do not carry over are noted. */
export function applyAssertions(
  request: ImportedRequest,
  { assertions, mayBeError }: { assertions: Node[]; mayBeError: boolean },
  check: string,
  notes: Notes,
): ImportedRequest {
  const { split = splitNothing } = request
  const conditions: string[] = []
  const headers: string[] = []
  let status: number | undefined
  for (const assertion of assertions) {
    const { source, comparison } = assertion
    const target = String(assertion.target ?? '')
    if (source === 'STATUS_CODE' && comparison === 'EQUALS' && /^\d{3}$/.test(target)) {
      status = Number(target)
      continue
    }
    if (source === 'HEADERS' && comparison === 'EQUALS' && !hasVariable(split, target) && !textOf(assertion.regex)) {
      headers.push(`${stringLiteral(textOf(assertion.property))}: ${stringLiteral(target)}`)
      continue
    }
    const condition = conditionOf(assertion, target, split)
    if (condition) conditions.push(condition)
    else {
      const what = [source, assertion.property, comparison, target].filter(Boolean).join(' ')
      notes.add(
        check,
        `the assertion ${what}`,
        'The script language has no such condition.',
        'Add a condition to the script.',
      )
    }
  }
  // Whatever else it asserts, Checkly fails from 400 on, unless the check has `shouldFail`.
  if (status === undefined && !mayBeError) conditions.push('this.status lt 400')
  const scopes = [...(request.scopes ?? []), ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : [])]
  return { ...request, status: status ?? ANY_STATUS, scopes, ...(conditions.length > 0 && { conditions }) }
}

const ORDERED: Record<string, string> = {
  ...{ EQUALS: 'eq', NOT_EQUALS: 'neq', GREATER_THAN: 'gt', LESS_THAN: 'lt' },
}

function conditionOf({ source, property, comparison, regex }: Node, target: string, split: Split): string | null {
  const left = expressionOf(textOf(source), textOf(property))
  // A regular expression, or a target with a variable in it.
  if (left === null || hasVariable(split, target) || textOf(regex)) return null
  const operator = ORDERED[textOf(comparison)]
  if (operator)
    return `${left} ${operator} ${source === 'TEXT_BODY' || source === 'HEADERS' ? stringLiteral(target) : literal(target)}`
  switch (comparison) {
    case 'CONTAINS':
      return contains(target, left)
    case 'NOT_CONTAINS':
      return `not ${contains(target, left)}`
    case 'IS_NULL':
      return `${left} eq null`
    case 'NOT_NULL':
    case 'HAS_KEY':
      return comparison === 'HAS_KEY' ? keyed(left, target) : `${left} neq null`
    case 'IS_EMPTY':
      return `(${left} eq "" or ${left} eq null or count(${left}) eq 0)`
    case 'NOT_EMPTY':
      return `(${left} neq "" and ${left} neq null and count(${left}) neq 0)`
    default:
      return null
  }
}

function keyed(left: string, key: string): string | null {
  return /^[A-Za-z_]\w*$/.test(key) ? `${left}.${key} neq null` : null
}

function expressionOf(source: string, property: string): string | null {
  switch (source) {
    case 'STATUS_CODE':
      return 'this.status'
    case 'RESPONSE_TIME':
      return 'this.responseTime'
    case 'TEXT_BODY':
      return property ? null : 'this.body'
    case 'JSON_BODY':
      return bodyPath(property)
    case 'HEADERS':
      return property ? headerExpression(property) : null
    default:
      return null
  }
}
