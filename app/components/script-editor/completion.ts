import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete'
import { hoverTooltip, type Tooltip } from '@codemirror/view'
import { KIND_TITLES, WORDS, type Word, type WordKind } from './reference.ts'
import { expectedWordsAfter } from './script-context.ts'

/** A variable that scripts can name, such as `$w.base`. Values are never part of it. */
export type VariableName = { name: string; scope: string; type: string }

/** Completes what the language, the variables of the service and the script itself define. */
export function completeScript(variables: () => VariableName[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const variable = context.matchBefore(/\$[$\w.]*/)
    if (variable) {
      return { from: variable.from, options: variableOptions(variables(), context), validFor: /^\$[$\w.]*$/ }
    }
    const field = context.matchBefore(/\b(?:this|prev)\.\w*/)
    if (field) {
      const kind = field.text.startsWith('this') ? 'this' : 'prev'
      return { from: field.from + 5, options: optionsOf(kind), validFor: /^\w*$/ }
    }
    const word = context.matchBefore(/\w*/)
    const from = word?.from ?? context.pos
    const expected = expectedWordsAfter(context.state.sliceDoc(0, from))
    if (!expected || (from === context.pos && !context.explicit && context.state.sliceDoc(from - 1, from) !== '.'))
      return null
    const options = expected.kinds.flatMap((kind) => optionsOf(kind, expected.only))
    return options.length > 0 ? { from, options, validFor: /^\w*$/ } : null
  }
}

function optionsOf(kind: WordKind, only: string[] | null = null): Completion[] {
  return WORDS[kind]
    .filter(({ name }) => only === null || only.includes(name))
    .map(({ name, text, insert }) => {
      const completion = { label: name, info: text, type: TYPES[kind] }
      return insert ? snippetCompletion(insert, completion) : completion
    })
}

const TYPES: Record<WordKind, string> = {
  method: 'keyword',
  chain: 'method',
  config: 'property',
  scope: 'property',
  scopeField: 'property',
  this: 'property',
  prev: 'property',
  condition: 'keyword',
  value: 'function',
}

/** The variables of the scopes, and the run variables that the script stores. */
function variableOptions(variables: VariableName[], context: CompletionContext): Completion[] {
  const stored = new Set([...context.state.doc.toString().matchAll(/"(\$\$[A-Za-z_]\w*)"/g)].map((found) => found[1]!))
  return [
    ...variables.map(({ name, scope, type }) => ({ label: name, detail: scope, info: type, type: 'variable' })),
    ...[...stored].map((label) => ({ label, detail: 'this run', type: 'variable' })),
  ]
}

const SHOWN_KINDS: Partial<Record<string, WordKind[]>> = { 'this.': ['this'], 'prev.': ['prev'] }

/** Shows the meaning of the word under the pointer, or the scope of a variable. */
export function scriptHover(variables: () => VariableName[]) {
  return hoverTooltip((view, position): Tooltip | null => {
    const line = view.state.doc.lineAt(position)
    const offset = position - line.from
    for (const found of line.text.matchAll(/\$\$?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?|[A-Za-z_]\w*/g)) {
      const [start, end] = [found.index, found.index + found[0].length]
      if (offset < start || offset > end) continue
      const text = meaningOf(
        found[0],
        line.text.slice(0, start),
        view.state.sliceDoc(0, line.from + start),
        variables(),
      )
      return text === null
        ? null
        : { pos: line.from + start, end: line.from + end, above: true, create: () => tooltip(text) }
    }
    return null
  })
}

function meaningOf(word: string, lineBefore: string, before: string, variables: VariableName[]): string | null {
  if (word.startsWith('$$')) return 'A variable of this run.'
  if (word.startsWith('$')) {
    const known = variables.find(({ name }) => name === word)
    return known ? `${known.type} of ${known.scope}` : 'No variable of this name exists yet.'
  }
  const ofField = SHOWN_KINDS[lineBefore.slice(-5)]
  const expected = ofField ? null : expectedWordsAfter(before)
  const kinds = ofField ?? expected?.kinds ?? []
  const found = kinds.flatMap((kind) => entriesOf(kind, word))
  const [entry] = found
  return entry ? `${entry.word.text} (${KIND_TITLES[entry.kind]})` : null
}

function entriesOf(kind: WordKind, name: string): { kind: WordKind; word: Word }[] {
  return WORDS[kind].filter((word) => word.name === name).map((word) => ({ kind, word }))
}

function tooltip(text: string) {
  const dom = document.createElement('div')
  dom.className = 'cm-diagnostic'
  dom.textContent = text
  return { dom }
}
