import { type Node, nodeOf } from '#server/script-import/nodes.ts'
import { variableMark } from '#server/script-import/request.ts'
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

  /** Marks the variables in every text of a value. */
  mark(value: Node): Node {
    return nodeOf(this.marked(value, 0))
  }

  private marked(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.markText(value)
    if (depth > 30 || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.marked(one, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.marked(one, depth + 1)]))
  }

  private markText(text: string): string {
    return text.replaceAll(/\{\{\{?\s*([^{}]+?)\s*\}?\}\}/g, (whole, name: string) => {
      const key = keyOf(name)
      if (key === null) return whole
      if (Object.hasOwn(this.own, key)) return variableMark('s', key)
      if (!Object.hasOwn(this.shared, key)) this.shared[key] = variableOf(key)
      return variableMark('p', key)
    })
  }
}

/** Returns the key for the name of a variable; null for the dynamic ones of Postman, such as `$guid`, and for functions. */
export function keyOf(name: string): string | null {
  if (!/^[\p{L}\p{N}_ .-]+$/u.test(name)) return null
  const key = name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 64)
  return /^[A-Za-z_]/.test(key) ? key : null
}
