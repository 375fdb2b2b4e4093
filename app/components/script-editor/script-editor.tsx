'use client'

import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useNonce } from '../../client/providers.tsx'
import type { VariableName } from './completion.ts'
import { editorSetup } from './editor-setup.ts'
import { editorTheme } from './editor-theme.ts'
import { lace } from './lace-language.ts'
import { lazyAssistance } from './lazy-assistance.ts'
import type { Mark } from './marks.ts'
import { createValidation } from './validation.ts'

export type ScriptEditorHandle = { show: (mark: Mark) => void }

type Props = {
  value: string
  onChange: (value: string) => void
  onSave: () => void
  /** Problems that the server found. */
  marks: Mark[]
  /** The variables that the script can name; null while they are not loaded. */
  variables: VariableName[] | null
  readOnly: boolean
  ref: Ref<ScriptEditorHandle>
}

/**
 * CodeMirror with highlighting, completion and help of the script language. It validates while the script is written,
 * and marks problems at their lines. Mod-S saves.
 */
export function ScriptEditor({ value, onChange, onSave, marks, variables, readOnly, ref }: Props) {
  const nonce = useNonce()
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const editable = useRef(new Compartment())
  // The editor is created once, but must call the current callbacks.
  const callbacks = useRef({ onChange, onSave })
  callbacks.current = { onChange, onSave }
  // Texts that the editor reported and that come back as `value`: when typing is faster, they are older than its text.
  const echoes = useRef(new Set<string>())
  const known = useRef(variables)
  known.current = variables
  const [found, setFound] = useState<Mark[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; the effects below pass changes on
  useEffect(() => {
    const parent = container.current
    if (!parent) return
    const save = () => {
      callbacks.current.onSave()
      return true
    }
    const editor = new EditorView({
      parent,
      doc: value,
      extensions: [
        nonce ? EditorView.cspNonce.of(nonce) : [],
        keymap.of([{ key: 'Mod-s', preventDefault: true, run: save }]),
        editorSetup,
        lace,
        lazyAssistance(() => known.current ?? []),
        editorTheme,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return
          const text = update.state.doc.toString()
          echoes.current.add(text)
          callbacks.current.onChange(text)
        }),
        editable.current.of(EditorState.readOnly.of(readOnly)),
      ],
    })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [nonce])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    if (editor.state.doc.toString() === value) return echoes.current.clear()
    if (echoes.current.has(value)) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: editable.current.reconfigure(EditorState.readOnly.of(readOnly)) })
  }, [readOnly])

  const validation = useRef<ReturnType<typeof createValidation>>(null)
  useEffect(() => {
    validation.current = createValidation(setFound)
    return () => validation.current?.stop()
  }, [])

  useEffect(() => {
    // An empty editor is a start, not a problem.
    if (value.trim() === '') return setFound([])
    const timer = setTimeout(() => validation.current?.validate(requestOf(value, variables)), VALIDATION_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value, variables])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const shown = [...marks, ...found.filter((mark) => !marks.some((other) => isSame(mark, other)))]
    const diagnostics = shown.map((mark) => diagnosticOf(editor.state.doc, mark))
    editor.dispatch(setDiagnostics(editor.state, diagnostics))
  }, [marks, found])

  useImperativeHandle(ref, () => ({
    show(mark) {
      const editor = view.current
      if (!editor) return
      editor.dispatch({ selection: { anchor: offsetOf(editor.state.doc, mark) }, scrollIntoView: true })
      editor.focus()
    },
  }))

  return <div ref={container} data-testid="script-editor" />
}

const VALIDATION_DELAY_MS = 250
/** The scopes as scripts name them, outermost first. */
const SCOPES = ['o', 'w', 'p', 's']

function requestOf(script: string, variables: VariableName[] | null) {
  const names = (scope: string) =>
    (variables ?? []).flatMap(({ name }) => (name.startsWith(`$${scope}.`) ? name.slice(3) : []))
  return {
    script,
    scopes: SCOPES,
    names: variables && Object.fromEntries(SCOPES.map((scope) => [scope, names(scope)])),
  }
}

function isSame(one: Mark, other: Mark): boolean {
  return one.line === other.line && one.column === other.column
}

function diagnosticOf(doc: Text, mark: Mark): Diagnostic {
  const from = offsetOf(doc, mark)
  const line = doc.lineAt(from)
  const word = /^\w+/.exec(doc.sliceString(from, line.to))
  return {
    from,
    to: Math.min(line.to, from + (word?.[0].length ?? 1)),
    severity: mark.severity ?? 'error',
    message: mark.message,
  }
}

function offsetOf(doc: Text, mark: Mark): number {
  const line = doc.line(Math.min(Math.max(mark.line ?? 1, 1), doc.lines))
  return Math.min(line.from + Math.max((mark.column ?? 1) - 1, 0), line.to)
}
