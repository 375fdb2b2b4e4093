import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])
const CHAIN = new Set(['expect', 'check', 'assert', 'store', 'wait'])
const WORDS = new Set(['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'and', 'or', 'not'])
const ATOMS = new Set(['true', 'false', 'null', 'this', 'prev'])

/** Tokens of the script language, for highlighting only. The server validates scripts when they are saved. */
const language = StreamLanguage.define<null>({
  startState: () => null,
  token: (stream) => tokenOf(stream),
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
})

function tokenOf(stream: StringStream): string | null {
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'lineComment'
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^\$\$?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?/)) return 'variableName'
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
  const word = stream.match(/^[A-Za-z_]\w*/)
  if (!word || typeof word === 'boolean') {
    stream.next()
    return null
  }
  const [text] = word
  if (METHODS.has(text)) return 'keyword'
  if (CHAIN.has(text)) return 'variableName.function'
  if (WORDS.has(text)) return 'operatorKeyword'
  if (ATOMS.has(text)) return 'atom'
  return stream.match(/^\s*:/, false) ? 'propertyName' : null
}

/** Every colour has a contrast of at least 4.5 to 1, in light and dark. */
const colours = HighlightStyle.define([
  { tag: tags.lineComment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: tags.number, color: 'var(--code-value)' },
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: 'var(--weight-strong)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: tags.operatorKeyword, color: 'var(--code-keyword)' },
  { tag: tags.atom, color: 'var(--code-value)' },
  { tag: tags.propertyName, color: 'var(--code-field)' },
])

export const lace = [language, syntaxHighlighting(colours)]
