'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'
import { CodeBlock } from './code-block.tsx'

const MemberMarkdown = lazy(async () => ({ default: (await import('./member-markdown.tsx')).MemberMarkdown }))

const unsubscribe = () => () => {}

/**
 * Markdown that a member wrote. Only the browser of the reader turns it into elements: on the server, a long text would
 * keep the pages of everybody waiting. Until then, the text can be read.
 */
export function LazyMemberMarkdown({ text }: { text: string }) {
  const isBrowser = useSyncExternalStore(
    unsubscribe,
    () => true,
    () => false,
  )
  const written = <CodeBlock label="Text in Markdown" text={text} wrap />
  return isBrowser ? (
    <Suspense fallback={written}>
      <MemberMarkdown text={text} />
    </Suspense>
  ) : (
    written
  )
}
