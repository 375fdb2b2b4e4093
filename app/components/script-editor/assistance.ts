import { autocompletion, closeBrackets, closeBracketsKeymap, startCompletion } from '@codemirror/autocomplete'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Prec, StateEffect } from '@codemirror/state'
import { crosshairCursor, type EditorView, keymap, rectangularSelection } from '@codemirror/view'
import { completeScript, scriptHover, type VariableName } from './completion.ts'

/** Adds completion, hover help, search and closing of brackets. `wasTyping`: the text has changed since they were asked for. */
export function addAssistance(view: EditorView, variables: () => VariableName[], wasTyping: boolean): void {
  view.dispatch({ effects: StateEffect.appendConfig.of(assistance(variables)) })
  const { head } = view.state.selection.main
  if (wasTyping && /[\w.$]/.test(view.state.sliceDoc(head - 1, head))) startCompletion(view)
}

function assistance(variables: () => VariableName[]): Extension {
  // One function for all calls: the editor recognizes the source of its open list by identity.
  const autocomplete = completeScript(variables)
  return [
    closeBrackets(),
    autocompletion({ icons: false }),
    EditorState.languageData.of(() => [{ autocomplete }]),
    scriptHover(variables),
    rectangularSelection(),
    crosshairCursor(),
    highlightSelectionMatches(),
    // Before the keys of the set-up, which has its own Backspace.
    Prec.high(keymap.of([...closeBracketsKeymap, ...searchKeymap])),
  ]
}
