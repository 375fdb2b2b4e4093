import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { VariableName } from './completion.ts'

/** Loads what helps to write when the pointer or the focus first enters the text. */
export function lazyAssistance(variables: () => VariableName[]): Extension {
  let isAsked = false
  const load = (_event: Event, view: EditorView) => {
    if (isAsked) return
    isAsked = true
    const before = view.state.doc
    import('./assistance.ts').then(
      ({ addAssistance }) => {
        if (view.dom.isConnected) addAssistance(view, variables, view.state.doc !== before)
      },
      // The next visit tries again.
      () => {
        isAsked = false
      },
    )
  }
  return EditorView.domEventHandlers({ focus: load, pointerenter: load })
}
