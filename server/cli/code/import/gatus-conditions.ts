import { hasVariable, type Split } from '#server/script-import/templates.ts'
import type { Notes } from './checks.ts'
import { bodyPath, contains, literal, OPERATORS } from './conditions.ts'

/** Needs no condition: a call that does not connect fails. */
const IMPLIED = /^\s*\[CONNECTED\]\s*==\s*true\s*$/

/** Returns the condition of the script language; null when it does not carry over, which is noted. */
export function readCondition(text: string, split: Split, check: string, notes: Notes): string | null {
  if (IMPLIED.test(text)) return null
  const written = conditionOf(text, split)
  if (written) return written
  const isCertificate = text.includes('[CERTIFICATE_EXPIRATION]')
  notes.add(
    check,
    `the condition ${text}`,
    isCertificate
      ? 'Soundline announces the expiry of certificates by itself, 30 days before it and later.'
      : 'The script language has no such condition.',
    isCertificate ? 'Follow the service, or name webhooks under webhooks.' : 'Add a condition to the script.',
  )
  return null
}

function conditionOf(text: string, split: Split): string | null {
  const [, left = '', sign = '', right = ''] = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(text.trim()) ?? []
  const operator = OPERATORS[sign]
  const value = right.trim()
  if (!operator || hasVariable(split, value)) return null
  const [, tested] = /^has\((.+)\)$/.exec(left.trim()) ?? []
  if (tested) {
    const path = placeholder(tested)
    return path && /^(true|false)$/.test(value)
      ? `${path} ${(value === 'true') === (sign === '==') ? 'neq' : 'eq'} null`
      : null
  }
  const [, counted] = /^len\((.+)\)$/.exec(left.trim()) ?? []
  const place = placeholder(counted ?? left)
  if (!place) return null
  return compared(counted ? `count(${place})` : place, operator, value)
}

function compared(left: string, operator: string, value: string): string | null {
  const [, listed] = /^any\((.*)\)$/s.exec(value) ?? []
  if (listed !== undefined && (operator === 'eq' || operator === 'neq')) {
    const parts = listed.split(',').map((one) => `${left} ${operator} ${literal(one.trim())}`)
    return `(${parts.join(operator === 'eq' ? ' or ' : ' and ')})`
  }
  const [, pattern] = /^pat\((.*)\)$/s.exec(value) ?? []
  if (pattern === undefined) return `${left} ${operator} ${literal(unquoted(value))}`
  const [, inner] = /^\*([^*?[\]]+)\*$/.exec(pattern) ?? []
  if (!inner || (operator !== 'eq' && operator !== 'neq')) return null
  return operator === 'eq' ? contains(inner, left) : `not ${contains(inner, left)}`
}

function placeholder(text: string): string | null {
  const name = text.trim()
  if (name === '[STATUS]') return 'this.status'
  if (name === '[RESPONSE_TIME]') return 'this.responseTime'
  const [, path] = /^\[BODY\]\.?(.*)$/s.exec(name) ?? []
  return path === undefined ? null : bodyPath(path)
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2')
}
