'use client'

import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useNonce } from '../../client/providers.tsx'
import { editorTheme } from './editor-theme.ts'
import { lace } from './lace-language.ts'

/** A problem in the script. Line and column count from 1, and are null if it concerns the whole script. */
export type Mark = { line: number | null; column: number | null; message: string }

export type ScriptEditorHandle = { show: (mark: Mark) => void }

type Props = {
  value: string
  onChange: (value: string) => void
  onSave: () => void
  marks: Mark[]
  readOnly: boolean
  ref: Ref<ScriptEditorHandle>
}

/** CodeMirror with the highlighting of the script language. Marks problems at their lines. Mod-S saves. */
export function ScriptEditor({ value, onChange, onSave, marks, readOnly, ref }: Props) {
  const nonce = useNonce()
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const editable = useRef(new Compartment())
  // The editor is created once, but must call the current callbacks.
  const callbacks = useRef({ onChange, onSave })
  callbacks.current = { onChange, onSave }

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
        basicSetup,
        lace,
        lintGutter(),
        editorTheme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Script' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) callbacks.current.onChange(update.state.doc.toString())
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
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: editable.current.reconfigure(EditorState.readOnly.of(readOnly)) })
  }, [readOnly])

  useEffect(() => {
    const editor = view.current
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          marks.map((mark) => diagnosticOf(editor.state.doc, mark)),
        ),
      )
  }, [marks])

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

function diagnosticOf(doc: Text, mark: Mark): Diagnostic {
  const from = offsetOf(doc, mark)
  const line = doc.lineAt(from)
  const word = /^\w+/.exec(doc.sliceString(from, line.to))
  return { from, to: Math.min(line.to, from + (word?.[0].length ?? 1)), severity: 'error', message: mark.message }
}

function offsetOf(doc: Text, mark: Mark): number {
  const line = doc.line(Math.min(Math.max(mark.line ?? 1, 1), doc.lines))
  return Math.min(line.from + Math.max((mark.column ?? 1) - 1, 0), line.to)
}
