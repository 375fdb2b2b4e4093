import { ImportError } from './request.ts'
import { type Part, type Split, splitBy } from './templates.ts'

// Parses a text as a shell does. Nothing is run, and values of variables are unknown.

/** A command. `end` is the operator after it, such as `|`; a newline and `;` are `;`. */
export type ShellCommand = { words: string[]; end: string /** Why it cannot be read. */; problem: string | null }

/** No word of a shell has a NUL, so it can mark the variables. */
const MARK = '\0'
const MARKED = splitBy(/\0([A-Za-z_]\w*)\0/g, ([, name = '']) => `s.${keyOfShell(name)}`)

/** Keys that imported scripts use for other values. */
const TAKEN = new Set(['base', 'dollar'])

/** The key of the variable that replaces a shell's variable. */
export function keyOfShell(name: string): string {
  return TAKEN.has(name) ? `${name}_` : name.slice(0, 64)
}

/** Finds the variables in a word. */
export const splitWord: Split = (text) =>
  MARKED(text).map(
    (part): Part => (typeof part === 'string' ? part : { ...part, source: `$${part.source.replaceAll(MARK, '')}` }),
  )

/** The names of the shell's variables in a word. */
export function shellVariables(word: string): string[] {
  return splitWord(word).flatMap((part) => (typeof part === 'string' ? [] : [part.source.slice(1)]))
}

/** A word as it is shown: with `$NAME` for a variable. */
export function shownWord(word: string): string {
  return splitWord(word)
    .map((part) => (typeof part === 'string' ? part : part.source))
    .join('')
}

/** Reads all commands of a text. @throws ImportError for a text that no shell can read */
export function shellCommands(text: string): ShellCommand[] {
  if (text.includes(MARK)) throw new ImportError('The command has a NUL character.')
  return new Reader(text.replaceAll('\r\n', '\n')).commands()
}

class Reader {
  private readonly text: string
  private at = 0
  private word: string | null = null
  private current: Omit<ShellCommand, 'end'> = { words: [], problem: null }
  private readonly found: ShellCommand[] = []
  /** The next word is the file of a redirection. */
  private isFile = false

  constructor(text: string) {
    this.text = text
  }

  commands(): ShellCommand[] {
    while (this.at < this.text.length) this.step()
    this.endCommand(';')
    return this.found
  }

  private step(): void {
    const char = this.text[this.at++] as string
    if (char === ' ' || char === '\t') this.endWord()
    else if (char === '\n') this.endCommand(';')
    else if (char === '#' && this.word === null) this.skipTo('\n')
    else if (char === '\\') this.escape()
    else if (char === "'") this.add(this.until("'"))
    else if (char === '"') this.doubleQuoted()
    else if (char === '$') this.dollar(false)
    else if (char === '`') this.substitution('`')
    else if (char === '>' || char === '<') this.redirection(char)
    else if (';&|()'.includes(char)) this.operator(char)
    else this.add(char)
  }

  private add(text: string): void {
    this.word = `${this.word ?? ''}${text}`
  }

  private fail(problem: string): void {
    this.current.problem ??= problem
  }

  private escape(): void {
    const next = this.text[this.at++]
    if (next !== undefined && next !== '\n') this.add(next)
  }

  /** Returns the text up to a quote, and goes past it. */
  private until(quote: string): string {
    const end = this.text.indexOf(quote, this.at)
    if (end < 0) this.fail('A quote is not closed.')
    const text = this.text.slice(this.at, end < 0 ? undefined : end)
    this.at = end < 0 ? this.text.length : end + 1
    return text
  }

  private skipTo(char: string): void {
    const end = this.text.indexOf(char, this.at)
    this.at = end < 0 ? this.text.length : end
  }

  private doubleQuoted(): void {
    this.add('')
    for (;;) {
      const char = this.text[this.at++]
      if (char === '"') return
      if (char === undefined) {
        this.fail('A quote is not closed.')
        return
      }
      const next = this.text[this.at]
      if (char === '\\' && next !== undefined && '$`"\\\n'.includes(next)) this.escape()
      else if (char === '$') this.dollar(true)
      else if (char === '`') this.substitution('`')
      else this.add(char)
    }
  }

  private dollar(isQuoted: boolean): void {
    const rest = this.text.slice(this.at, this.at + 200)
    const [matched = '', braced, plain] = /^(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest) ?? []
    const name = braced ?? plain
    if (name !== undefined) {
      this.at += matched.length
      this.add(`${MARK}${name}${MARK}`)
    } else if (!isQuoted && rest.startsWith("'")) {
      this.at++
      this.ansiQuoted()
    } else if (!isQuoted && rest.startsWith('"')) {
      // A text to translate, `$"…"`: the step reads its quotes.
    } else if (rest.startsWith('(')) {
      this.substitution(')')
    } else if (/^[{\d@*#?$!-]/.test(rest)) {
      this.fail(`A script cannot compute $${rest.slice(0, rest.startsWith('{') ? 20 : 1)}. Write its value instead.`)
      this.add('$')
    } else this.add('$')
  }

  private substitution(end: string): void {
    this.fail('The command runs another command. Write its output instead.')
    this.add(this.until(end))
  }

  /** `$'…'`, in which browsers copy a command. Its bytes must be UTF-8, because scripts are text. */
  private ansiQuoted(): void {
    const match = /(?:[^'\\]|\\[\s\S])*/y
    match.lastIndex = this.at
    const inner = match.exec(this.text)?.[0] ?? ''
    this.at += inner.length
    if (this.text[this.at++] !== "'") this.fail('A quote is not closed.')
    try {
      this.add(unescaped(inner))
    } catch {
      this.fail('The command has bytes that are not UTF-8, which scripts cannot send.')
    }
  }

  /** Output goes nowhere. Input would be a part of the request. */
  private redirection(char: string): void {
    if (char === '<') this.fail('The command reads its input from elsewhere.')
    if (this.word !== null && /^[\d&]+$/.test(this.word)) this.word = null
    this.endWord()
    while (/[>&|]/.test(this.text[this.at] ?? '')) this.at++
    this.isFile = true
  }

  private operator(char: string): void {
    if (char === '&' && this.text[this.at] === '>') return
    const isDouble = this.text[this.at] === char && char !== '(' && char !== ')'
    if (isDouble) this.at++
    this.endCommand(char === ';' || char === '(' || char === ')' ? ';' : isDouble ? char + char : char)
  }

  private endWord(): void {
    if (this.word === null) return
    if (this.isFile) this.isFile = false
    else this.current.words.push(this.word)
    this.word = null
  }

  private endCommand(end: string): void {
    this.endWord()
    this.isFile = false
    const { words, problem } = this.current
    if (words.length > 0 || problem !== null) this.found.push({ words, end, problem })
    this.current = { words: [], problem: null }
  }
}

const ESCAPES: Record<string, string> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
}

/** @throws TypeError for bytes that are not UTF-8 */
function unescaped(text: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // Escapes of bytes in a row may be one character.
  return text.replaceAll(
    /((?:\\x[0-9a-fA-F]{1,2}|\\[0-7]{1,3})+)|\\(u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[\s\S])/g,
    (_, bytes: string | undefined, code: string) => {
      if (bytes !== undefined) {
        const values = [...bytes.matchAll(/\\(x?)([0-9a-fA-F]+)/g)]
        return decoder.decode(Uint8Array.from(values, ([, hex, digits = '']) => Number.parseInt(digits, hex ? 16 : 8)))
      }
      if (/^[uU]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
      return ESCAPES[code] ?? (/['"\\?]/.test(code) ? code : `\\${code}`)
    },
  )
}
