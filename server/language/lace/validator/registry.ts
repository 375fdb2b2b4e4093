import type { PathSegment } from '../ast.ts'
import { didYouMean, quote } from '../suggest.ts'

/** Names, or with scopes the names in each scope. */
export type RegisteredVariables = Iterable<string> | Readonly<Record<string, Iterable<string>>>

/** The variable's name as errors show it, and a description of the problem. */
export type VariableProblem = { field: string; detail: () => string }

/** The registered script variables. */
export class Registry {
  private readonly names: Set<string> | null = null
  private readonly byScope: Map<string, Set<string>> | null = null
  readonly scopes: readonly string[]
  /** Remaining searches for similar names. Each search compares all names. */
  private hints = 20

  constructor(variables: RegisteredVariables | null, scopes: readonly string[]) {
    this.scopes = scopes
    if (variables === null) return
    if (Symbol.iterator in variables) {
      this.names = new Set(variables as Iterable<string>)
      return
    }
    this.byScope = new Map(scopes.map((scope) => [scope, new Set(variables[scope] ?? [])]))
  }

  /** Registers a variable that the script writes back: it exists from the first run on. */
  addWrittenBack(name: string): void {
    const innermost = this.scopes.at(-1)
    if (innermost !== undefined) this.byScope?.get(innermost)?.add(name)
  }

  /** Returns the problem of a reference; null when the variable exists. */
  problem(name: string, path: PathSegment[]): VariableProblem | null {
    if (this.scopes.length === 0) {
      if (this.names === null || this.names.has(name)) return null
      return { field: name, detail: () => this.missing(name, this.names!, '$') }
    }
    if (!this.scopes.includes(name)) {
      const prefixes = this.scopes.map((scope) => `\`$${scope}.\``).join(', ')
      return {
        field: name,
        detail: () => `${quote(`$${name}`)} has no scope: it needs one of the prefixes ${prefixes}`,
      }
    }
    const [key] = path
    if (key?.type !== 'field') {
      const detail = () => `\`$${name}\` is a scope: the name of a variable is missing, as in \`$${name}.name\``
      return { field: name, detail }
    }
    const known = this.byScope?.get(name)
    if (known === undefined || known.has(key.name)) return null
    return { field: `${name}.${key.name}`, detail: () => this.missing(key.name, known, `$${name}.`) }
  }

  private missing(name: string, known: Iterable<string>, prefix: string): string {
    const hint = this.hints-- > 0 ? didYouMean(name, known, prefix) : ''
    return `variable ${quote(prefix + name)} does not exist${hint}`
  }
}
