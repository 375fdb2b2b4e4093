import { headerOfAuth } from './parts.ts'
import { type Pair, type Step, VARIABLE_NAME, variablesOf, withoutVariables } from './steps.ts'
import { exactJson } from './write-steps.ts'

/** A field of a step that cannot be sent as it is: `url`, `headers`, `auth`, `body`, `timeoutMs` or `takes`. */
export type StepProblem = { step: number; field: StepField; reason: string }
export type StepField = 'url' | 'headers' | 'auth' | 'body' | 'timeoutMs' | 'takes'

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const TIMEOUT_MAX_MS = 60_000

/** Returns what must be corrected before the steps can run, in the order of the form. */
export function stepProblems(steps: readonly Step[]): StepProblem[] {
  const taken = new Set<string>()
  return steps.flatMap((step, at) => {
    const found: [StepField, string | null][] = [
      ['url', urlProblem(step.url)],
      ['headers', headersProblem(step)],
      ['auth', textProblem(authText(step))],
      ['body', bodyProblem(step)],
      ['timeoutMs', timeoutProblem(step.timeoutMs)],
      ['takes', takesProblem(step, taken)],
    ]
    return found.flatMap(([field, reason]) => (reason === null ? [] : { step: at, field, reason }))
  })
}

function urlProblem(url: string): string | null {
  const text = url.trim()
  const [first] = variablesOf(text)
  // A variable may hold the start of the URL.
  const shown =
    first !== undefined && text.startsWith(first) ? `https://host${withoutVariables(text)}` : withoutVariables(text)
  const parsed = /^https?:\/\//i.test(shown) ? URL.parse(shown) : null
  if (!parsed) return 'Enter a URL such as https://example.com/health'
  if (parsed.username !== '' || parsed.password !== '') return 'Put the user and the password under Authentication'
  return unwritable(text)
}

function headersProblem({ headers, auth }: Step): string | null {
  const own = headerOfAuth(auth)
  const seen = new Set(own ? [own.name.toLowerCase()] : [])
  for (const { name, value } of headers) {
    const key = name.trim().toLowerCase()
    if (key === '') {
      if (value === '') continue
      return 'Each header needs a name'
    }
    if (!HEADER_NAME.test(name.trim())) return `A header cannot have the name “${name.trim()}”`
    if (seen.has(key)) {
      return own?.name.toLowerCase() === key ? `${name} is set under Authentication` : `${name} is given twice`
    }
    seen.add(key)
    const problem = textProblem(value)
    if (problem) return `${name}: ${problem}`
  }
  return null
}

function authText({ auth }: Step): string {
  switch (auth.kind) {
    case 'none':
      return ''
    case 'bearer':
      return auth.token
    case 'basic':
      return auth.credentials
    case 'apiKey':
      return auth.place === 'header' && auth.name !== '' && !HEADER_NAME.test(auth.name) ? '\0' : auth.value
  }
}

function bodyProblem({ body }: Step): string | null {
  switch (body.kind) {
    case 'none':
      return null
    case 'json':
      return jsonProblem(body.text) ?? textProblem(body.text)
    case 'form':
      return rowsProblem(body.fields) ?? textProblem(body.fields.map(({ value }) => value).join('\n'))
    case 'text':
      return textProblem(body.text)
  }
}

function rowsProblem(rows: readonly Pair[]): string | null {
  return rows.some(({ name, value }) => name === '' && value !== '') ? 'Each field needs a name' : null
}

/** Returns where a text is no JSON; null for JSON, and for an empty text. */
function jsonProblem(text: string): string | null {
  if (text.trim() === '' || exactJson(text) !== null) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return `This is not valid JSON: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  }
}

/** A script has no literal `$` before a name. */
export function textProblem(text: string): string | null {
  const [name] = /\$\{?\$?[A-Za-z_]\w*/.exec(withoutVariables(text)) ?? []
  if (name !== undefined) return `“${name}” would name a variable: write $s.NAME for a variable of the service`
  return unwritable(text)
}

function unwritable(text: string): string | null {
  return text.includes('\0') || !text.isWellFormed() ? 'A character of this text cannot be sent' : null
}

function timeoutProblem(ms: number | null): string | null {
  if (ms === null || (Number.isInteger(ms) && ms >= 1 && ms <= TIMEOUT_MAX_MS)) return null
  return `Enter milliseconds from 1 to ${TIMEOUT_MAX_MS.toLocaleString('en')}`
}

function takesProblem({ takes }: Step, taken: Set<string>): string | null {
  for (const { name } of takes) {
    if (!VARIABLE_NAME.test(name)) return 'A name has letters, digits and underscores, and does not begin with a digit'
    if (taken.has(name)) return `$$${name} is taken twice`
    taken.add(name)
  }
  return null
}
