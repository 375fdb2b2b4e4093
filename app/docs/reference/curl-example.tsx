'use client'

import { CodeBlock } from '../../components/code-block.tsx'
import { useApiKey } from './api-key.tsx'
import { authorizationWith, exampleCall, PLACEHOLDERS } from './curl.ts'
import type { RequestShape } from './request.ts'

/** The call of an operation with curl: with variables of the shell, or with the reader's key if asked. */
export function CurlExample({ shape }: { shape: RequestShape }) {
  const { key, isShown } = useApiKey()
  const target = isShown && key ? { base: window.location.origin, authorization: authorizationWith(key) } : PLACEHOLDERS
  return <CodeBlock label="curl command" text={exampleCall(shape, target)} wrap />
}
