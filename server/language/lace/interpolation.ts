import type { PathSegment } from './ast.ts'

/** A variable in a template: `$name`, `$$name`, `${$name}`, `${$$name}`, and with scopes `$s.key`, `${$s.key}`. */
export type TemplateRef = {
  kind: 'script' | 'run'
  name: string
  path: PathSegment[]
  /** As written, for messages. */
  text: string
}

export type TemplatePart = { kind: 'text'; text: string } | TemplateRef

const REFERENCE =
  /\$\{\$(\$?)([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]{1,9}\])*)\}|\$(\$?)([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?/g
const SEGMENT = /\.([A-Za-z_][A-Za-z0-9_]*)|\[([0-9]+)\]/g

/**
 * Splits a template at its variables. Without braces a variable ends with its name: `$host.example` is the variable
 * `$host` and the text `.example`. Only the name of a scope takes one field (`$s.base`). Braces may hold a path.
 */
export function parseTemplate(template: string, scopes: Iterable<string> = []): TemplatePart[] {
  if (!template.includes('$')) return template === '' ? [] : [{ kind: 'text', text: template }]
  const scoped = scopes instanceof Set ? scopes : new Set(scopes)
  const parts: TemplatePart[] = []
  let at = 0
  for (const match of template.matchAll(REFERENCE)) {
    const [matched, bracedRun, bracedName, bracedPath, bareRun, bareName, bareKey] = match
    if (match.index > at) parts.push({ kind: 'text', text: template.slice(at, match.index) })
    if (bracedName !== undefined) {
      parts.push({ kind: bracedRun ? 'run' : 'script', name: bracedName, path: readPath(bracedPath!), text: matched })
      at = match.index + matched.length
      continue
    }
    const takesKey = bareKey !== undefined && bareRun === '' && scoped.has(bareName!)
    const text = takesKey || bareKey === undefined ? matched : matched.slice(0, -bareKey.length - 1)
    parts.push({
      kind: bareRun ? 'run' : 'script',
      name: bareName!,
      path: takesKey ? [{ type: 'field', name: bareKey }] : [],
      text,
    })
    at = match.index + text.length
  }
  if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) })
  return parts
}

const WITHOUT_DOLLAR = /\$\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]+\])*)\}/

/** Returns the first `${name}` that lacks the `$` before its name and so is not a variable, or null. */
export function findVariableWithoutDollar(template: string): string | null {
  return template.includes('${') ? (WITHOUT_DOLLAR.exec(template)?.[1] ?? null) : null
}

function readPath(path: string): PathSegment[] {
  return [...path.matchAll(SEGMENT)].map(([, name, index]) =>
    name === undefined ? { type: 'index', index: Number(index) } : { type: 'field', name },
  )
}

export type ResolvedPart = { kind: 'text' | 'script' | 'run'; text: string | null }

/** A template before a run. `text` is null for run variables and for variables that `lookup` does not know. */
export type ResolvedTemplate = {
  parts: ResolvedPart[]
  /** Total length of the known parts, in characters. */
  length: number
  missing: TemplateRef[]
}

/** Returns the whole string; null when a part is unknown or the string is longer than `maxLength`. */
export function resolvedText({ parts, length }: ResolvedTemplate, maxLength: number): string | null {
  if (length > maxLength || parts.some(({ text }) => text === null)) return null
  return parts.map(({ text }) => text).join('')
}

/**
 * Resolves the known parts of a template. `lookup` returns a script variable's value as a string, or null or undefined
 * when there is no value.
 */
export function resolveTemplate(
  template: string,
  lookup: (ref: TemplateRef) => string | null | undefined,
  scopes: Iterable<string> = [],
): ResolvedTemplate {
  const missing: TemplateRef[] = []
  let length = 0
  const parts = parseTemplate(template, scopes).map((part): ResolvedPart => {
    if (part.kind === 'run') return { kind: 'run', text: null }
    const text = part.kind === 'text' ? part.text : (lookup(part) ?? null)
    if (part.kind === 'script' && text === null) missing.push(part)
    length += text?.length ?? 0
    return { kind: part.kind, text }
  })
  return { parts, length, missing }
}
