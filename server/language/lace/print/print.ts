import type { Call, CallConfig, Chain, Condition, ExpectScopes, ExpectScopeValue, Expr, Named, Script } from '../ast.ts'
import { printNumber, printSource } from './expression.ts'
import { printString } from './string.ts'

/** Prints a tree as source that parses to the same tree. */
export function printScript(ast: Script): string {
  return `${ast.calls.map(printCall).join('\n\n')}\n`
}

function printCall({ method, url, config, chain }: Call): string {
  const head = config ? `${printString(url)}, ${block('{', configFields(config), '}')}` : printString(url)
  return [`${method}(${head})`, ...chainLines(chain)].join('\n')
}

/** Prints a single short entry on one line, else one line per entry. */
function block(open: string, entries: string[], close: string): string {
  if (entries.length === 0) return open + close
  const space = open === '{' ? ' ' : ''
  const [first] = entries
  if (entries.length === 1 && !first!.includes('\n')) return `${open}${space}${first}${space}${close}`
  return `${open}\n${entries.map((entry) => `  ${entry.replaceAll('\n', '\n  ')},`).join('\n')}\n${close}`
}

function configFields(config: CallConfig): string[] {
  const { headers, body, cookies, cookieJar, clearCookies, redirects, security, timeout, extensions } = config
  const fields: string[] = []
  if (headers) fields.push(`headers: ${printMap(headers)}`)
  if (body)
    fields.push(`body: ${body.type === 'raw' ? printString(body.value) : `${body.type}(${printSource(body.value)})`}`)
  if (cookies) fields.push(`cookies: ${printMap(cookies)}`)
  if (cookieJar !== undefined) fields.push(`cookieJar: ${printString(cookieJar)}`)
  if (clearCookies) fields.push(`clearCookies: [${clearCookies.map(printString).join(', ')}]`)
  for (const [name, group] of Object.entries({ redirects, security, timeout })) {
    if (group) fields.push(`${name}: ${printGroup(group)}`)
  }
  return [...fields, ...printNamed(extensions)]
}

function printGroup(group: Record<string, unknown> & { extensions?: Named<Expr> }): string {
  const { extensions, ...known } = group
  const fields = Object.entries(known).map(([name, value]) => {
    const text = typeof value === 'string' ? printString(value) : typeof value === 'number' ? printNumber(value) : value
    return `${name}: ${text}`
  })
  return `{ ${[...fields, ...printNamed(extensions)].join(', ')} }`
}

function printNamed(named: Named<Expr> | undefined): string[] {
  return Object.entries(named ?? {}).map(([name, expr]) => `${name}: ${printSource(expr)}`)
}

/** Keys can be any string, so they are quoted. */
function printMap(map: Named<Expr>): string {
  return block(
    '{',
    Object.entries(map).map(([key, expr]) => `${printString(key)}: ${printSource(expr)}`),
    '}',
  )
}

function chainLines(chain: Chain): string[] {
  const lines: string[] = []
  if (chain.expect) lines.push(`.expect${printExpectScopes(chain.expect)}`)
  if (chain.check) lines.push(`.check${printExpectScopes(chain.check)}`)
  if (chain.assert) {
    const clauses = Object.entries(chain.assert).map(([kind, conditions]) => {
      return `${kind}: ${block('[', (conditions ?? []).map(printCondition), ']')}`
    })
    lines.push(`.assert(${block('{', clauses, '}')})`)
  }
  if (chain.store) {
    const entries = Object.entries(chain.store).map(([key, { value }]) => `${printString(key)}: ${printSource(value)}`)
    lines.push(`.store(${block('{', entries, '}')})`)
  }
  if (chain.wait !== undefined) lines.push(`.wait(${printNumber(chain.wait)})`)
  return lines
}

function printExpectScopes(scopes: ExpectScopes): string {
  return block(
    '(',
    Object.entries(scopes).map(([scope, value]) => `${scope}: ${printExpectScopeValue(value)}`),
    ')',
  )
}

/** Prints the value of a scope: an expression, or its long form. */
export function printExpectScopeValue({ value, op, match, mode, options }: ExpectScopeValue): string {
  const fields = [`value: ${printSource(value)}`]
  if (op !== undefined) fields.push(`op: ${printString(op)}`)
  if (match !== undefined) fields.push(`match: ${printString(match)}`)
  if (mode !== undefined) fields.push(`mode: ${printString(mode)}`)
  if (options) fields.push(`options: ${block('{', printNamed(options), '}')}`)
  return fields.length === 1 ? printSource(value) : `{ ${fields.join(', ')} }`
}

function printCondition({ condition, options }: Condition): string {
  if (!options) return printSource(condition)
  return `{ condition: ${printSource(condition)}, options: ${block('{', printNamed(options), '}')} }`
}
