import type { ExpectScope, Method } from '../lace/ast.ts'

// What the request builder shows of a script: its calls as steps of fields. `writeSteps` makes the script of steps, and
// `readSteps` the steps of a script.

export type Pair = { name: string; value: string }

/** `credentials` is the text after `Basic `: base64 of `user:password`, or a variable that holds it. */
export type Auth =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  | { kind: 'basic'; credentials: string }
  | { kind: 'apiKey'; place: 'header' | 'query'; name: string; value: string }

/** `type` is the content type of a text; empty for none. */
export type Body =
  | { kind: 'none' }
  | { kind: 'json'; text: string }
  | { kind: 'form'; fields: Pair[] }
  | { kind: 'text'; text: string; type: string }

/** `expect` fails the run, `check` is only recorded. */
export type Level = 'expect' | 'check'

/** `value` and `expression` are source text of the language: `200`, `{ value: 400, op: "lt" }`, `this.body.ok eq true`. */
export type Assertion =
  | { kind: 'scope'; level: Level; scope: ExpectScope; value: string }
  | { kind: 'header'; level: Level; name: string; value: string }
  | { kind: 'condition'; level: Level; expression: string }

/** A value of the response that later steps name as `$$name`. `from` is an expression, such as `this.body.token`. */
export type Taken = { name: string; from: string }

export type Step = {
  method: Method
  url: string
  headers: Pair[]
  auth: Auth
  body: Body
  followsRedirects: boolean
  acceptsInvalidCertificates: boolean
  /** Null for the time limit of the language. */
  timeoutMs: number | null
  assertions: Assertion[]
  takes: Taken[]
}

export const NEW_STEP: Step = {
  method: 'get',
  url: '',
  headers: [],
  auth: { kind: 'none' },
  body: { kind: 'none' },
  followsRedirects: true,
  acceptsInvalidCertificates: false,
  timeoutMs: null,
  assertions: [],
  takes: [],
}

/** The name of a value that a step takes, and of a variable. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const VARIABLE =
  /\$\{\$(?:\$[A-Za-z_]\w*|[owps]\.[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[\d{1,9}\])*\}|\$\$[A-Za-z_]\w*|\$[owps]\.[A-Za-z_]\w*/g

/** Returns the variables that a text of a script names, as written: `$s.token`, `${$$id}`. */
export function variablesOf(text: string): string[] {
  return text.match(VARIABLE) ?? []
}

/** Returns the variables of services and projects that a text names, each once and without its path: `$s.token`. */
export function storedVariablesOf(text: string): string[] {
  return [...new Set(variablesOf(text).flatMap((name) => /^(?:\$\{)?(\$[ps]\.\w+)/.exec(name)?.[1] ?? []))]
}

export function withoutVariables(text: string): string {
  return text.replaceAll(VARIABLE, '')
}

/** Changes what stands between the variables of a text. */
export function mapBetweenVariables(text: string, change: (part: string) => string): string {
  const names = variablesOf(text)
  return text
    .split(VARIABLE)
    .map((part, at) => `${change(part)}${names[at] ?? ''}`)
    .join('')
}

/** A command may have been copied with the prompt in front of it. */
const PROMPT = /^\s*[$%#] +(?=curl\s)/

export function withoutPrompt(text: string): string {
  return text.replace(PROMPT, '')
}

export function isCurl(text: string): boolean {
  return /^\s*curl\s/.test(withoutPrompt(text))
}
