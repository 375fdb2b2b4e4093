import { type Document, isScalar, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml'

// YAML of others. Input that makes the library slow is bounded before it is parsed.

/** Anchors and aliases together. For each alias, the library searches all of them. */
const ANCHORS_MAX = 1_000
/** The library composes, and importers walk, by recursion. */
const DEPTH_MAX = 100
/** Aliases may repeat parts of a document up to this size, beyond the size of its text. */
const REPEATED_MAX = 1_000_000
/** Characters per lexeme in a text of the largest size; each lexeme takes microseconds. */
const LEXEME_CHARACTERS = 4
const PROBLEMS_MAX = 20
const MESSAGE_MAX = 200

/** Why a text was not read: a phrase per problem, such as `has more than 100 levels`. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
  readonly problems: string[]
  /** Whether the text may be well-formed, and is beyond a bound. */
  readonly isBound: boolean

  constructor(problems: string[], options: { isBound: boolean }) {
    super(problems[0])
    this.problems = problems
    this.isBound = options.isBound
  }
}

function beyond(problem: string): YamlError {
  return new YamlError([problem], { isBound: true })
}

/** Reads one document, whose keys are strings, each once in its mapping. @throws YamlError */
export function readYaml(text: string, charactersMax: number): unknown {
  if (text.length > charactersMax) throw beyond(`has more than ${charactersMax} characters of YAML`)
  checkSyntax(text, charactersMax / LEXEME_CHARACTERS)
  // The library compares each key with all others of its mapping. `checkKeys` takes one pass.
  // Its own text of an error copies the whole line, for each error.
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error', lineCounter })
  const errors = document.errors.slice(0, PROBLEMS_MAX).map(({ message, pos: [at] }) => {
    const { line, col } = lineCounter.linePos(at)
    return `${message.split('\n')[0]?.slice(0, MESSAGE_MAX)} at line ${line}, column ${col}`
  })
  if (errors.length > 0) throw new YamlError(errors, { isBound: false })
  checkKeys(document)
  const value = toValue(document)
  checkSize(value, REPEATED_MAX + 2 * text.length)
  return value
}

/** @throws YamlError */
function checkSyntax(text: string, lexemesMax: number): void {
  const parser = new Parser()
  let anchors = 0
  let lexemes = 0
  let isInScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    if (!isInScalar && /^[&*]/.test(lexeme) && ++anchors > ANCHORS_MAX) {
      throw beyond(`has more than ${ANCHORS_MAX} anchors and aliases`)
    }
    if (++lexemes > lexemesMax) throw beyond('has too many values')
    isInScalar = lexeme === '\x1f'
    for (const _ of parser.next(lexeme));
    // The stack has every open value.
    if (parser.stack.length > DEPTH_MAX) throw tooDeep()
  }
}

function tooDeep(): YamlError {
  return beyond(`has more than ${DEPTH_MAX} levels`)
}

/** A mapping as a key would become text of its own at each level, which doubles with each. @throws YamlError */
function checkKeys(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>()
      for (const { key } of items) {
        if (key !== null && !isScalar(key)) throw beyond('has a key that is not a string')
        const name = String(key?.value ?? '')
        if (keys.has(name)) {
          throw new YamlError([`has the key ${name.slice(0, 80)} twice in one mapping`], { isBound: false })
        }
        keys.add(name)
      }
    },
  })
}

function toValue(document: Document.Parsed): unknown {
  try {
    // Aliases are bounded above, and what they repeat is below. The library's own bound is a hundred uses of an anchor.
    return document.toJS({ maxAliasCount: -1 })
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n')
    throw new YamlError([message], { isBound: false })
  }
}

/**
 * Aliases share values, so a small document can be a large one for a reader. Throws beyond 100 levels too, so that a
 * reader may walk the value by recursion. @throws YamlError
 */
export function checkSize(value: unknown, max: number): void {
  let size = 0
  const visitValue = (one: unknown, depth: number): void => {
    if (depth > DEPTH_MAX) throw tooDeep()
    size += typeof one === 'string' ? one.length + 1 : 1
    if (size > max) throw beyond('becomes too large by its aliases')
    if (typeof one !== 'object' || one === null) return
    for (const [key, member] of Object.entries(one)) {
      if (!Array.isArray(one)) size += key.length
      visitValue(member, depth + 1)
    }
  }
  visitValue(value, 0)
}

/**
 * Returns the value with its merge keys resolved (`<<: *base`): a mapping has the keys of those that it merges, unless
 * they are its own. Other programs resolve them too, as YAML 1.1 defines. What aliases repeat is bounded by then.
 */
export function mergedKeys(value: unknown): unknown {
  const known = new Map<object, unknown>()
  const merged = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one
    if (!known.has(one)) known.set(one, Array.isArray(one) ? one.map(merged) : mergedMapping(one))
    return known.get(one)
  }
  const mergedMapping = (mapping: object): object => {
    const { '<<': base, ...own } = mapping as Record<string, unknown>
    const bases = (Array.isArray(base) ? base : [base]).map(merged)
    const isMerge = base !== undefined && bases.every((one) => isMapping(one))
    const entries = Object.entries(isMerge ? own : mapping).map(([key, one]): [string, unknown] => [key, merged(one)])
    if (!isMerge) return Object.fromEntries(entries)
    // The first of several bases wins.
    const inherited = bases.reverse().flatMap((one) => Object.entries(one as object))
    return Object.fromEntries([...inherited, ...entries])
  }
  return merged(value)
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
