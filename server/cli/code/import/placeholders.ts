import { type Split, splitBy } from '#server/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { variableOf } from './checks.ts'

/** `{{name}}` of other programs. A name that is none of the check's own variables becomes one of the project. */
export class Placeholders {
  readonly own: Record<string, VariableEntry>
  readonly shared: Record<string, VariableEntry>

  constructor(own: Record<string, VariableEntry>, shared: Record<string, VariableEntry>) {
    this.own = own
    this.shared = shared
  }

  readonly split: Split = splitBy(/\{\{\{([^{}]+)\}\}\}|\{\{([^{}]+)\}\}/g, ([, unescaped, name]) => {
    const key = keyOf((unescaped ?? name ?? '').trim())
    if (key === null) return null
    if (Object.hasOwn(this.own, key)) return `s.${key}`
    if (!Object.hasOwn(this.shared, key)) this.shared[key] = variableOf(key)
    return `p.${key}`
  })
}

/** Returns the key for the name of a variable; null for the dynamic ones of Postman, such as `$guid`, and for functions. */
export function keyOf(name: string): string | null {
  if (!/^[\p{L}\p{N}_ .-]+$/u.test(name)) return null
  const key = name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 64)
  return /^[A-Za-z_]/.test(key) ? key : null
}
