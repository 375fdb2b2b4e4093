'use client'

import { type ComponentProps, lazy, Suspense, useSyncExternalStore } from 'react'
import { CodeBlock } from '../code-block.tsx'

// Loaded on demand: the editor is the largest part of the dashboard, and few pages need it.
const ScriptEditor = lazy(() => import('./script-editor.tsx').then((module) => ({ default: module.ScriptEditor })))

const unsubscribe = () => () => {}

/** The editor. Until it is loaded, the text can be read. */
export function LazyScriptEditor(props: ComponentProps<typeof ScriptEditor>) {
  const isBrowser = useSyncExternalStore(
    unsubscribe,
    () => true,
    () => false,
  )
  const text = <CodeBlock text={props.value || ' '} label="Script" />
  return isBrowser ? (
    <Suspense fallback={text}>
      <ScriptEditor {...props} />
    </Suspense>
  ) : (
    text
  )
}
