import { type Split, splitBy } from '../../../language/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { variableOf } from './checks.ts'

/**
 * `{{name}}` of other programs. A name that the check does not declare becomes a variable of the project. The records
 * have a variable by its key; two names that become the same key get two of them.
 */
export class Placeholders {
  readonly own: Record<string, VariableEntry>
  readonly shared: Record<string, VariableEntry>
  private readonly keys = new Map<string, string>()

  readonly split: Split

  /** In `handlebars`, `{{{name}}}` is a variable too. Elsewhere it is one in braces. */
  constructor(
    own: Record<string, VariableEntry>,
    shared: Record<string, VariableEntry>,
    syntax: 'handlebars' | 'postman' = 'handlebars',
  ) {
    this.own = own
    this.shared = shared
    this.split = splitBy(SYNTAXES[syntax], ([match]) => {
      const name = match.replaceAll(/[{}]/g, '').trim()
      const key = keyOf(name)
      if (key === null) return null
      if (Object.hasOwn(this.own, key)) return `s.${key}`
      return `p.${this.declare(name, key, variableOf)}`
    })
  }

  /** Returns the key of a variable of the project, which is made when it is new. */
  declare(name: string, wanted: string, entryOf: (key: string) => VariableEntry): string {
    const known = this.keys.get(name)
    if (known) return known
    const others = new Set(this.keys.values())
    let key = wanted
    for (let n = 2; others.has(key); n++) key = `${wanted.slice(0, 60)}_${n}`
    this.keys.set(name, key)
    if (!Object.hasOwn(this.shared, key)) this.shared[key] = entryOf(key)
    return key
  }
}

const SYNTAXES = {
  handlebars: /\{\{\{[^{}]+\}\}\}|\{\{[^{}]+\}\}/g,
  postman: /\{\{[^{}]+\}\}/g,
}

/** The placeholders of a text that are no variables, such as `{{$guid}}`. */
export function otherPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{\{([^{}]+)\}\}/g)].flatMap(([whole, name = '']) =>
    keyOf(name.trim()) === null ? [whole] : [],
  )
}

/** Returns the key for the name of a variable; null for the dynamic ones of Postman, such as `$guid`, and for functions. */
export function keyOf(name: string): string | null {
  if (!/^[\p{L}\p{N}_ .-]+$/u.test(name)) return null
  const key = name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 64)
  return /^[A-Za-z_]/.test(key) ? key : null
}
