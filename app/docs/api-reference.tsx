'use client'

import { Alert, Anchor, Code, Loader, Paper, useComputedColorScheme } from '@mantine/core'
import Script from 'next/script'
import { useEffect, useRef, useState } from 'react'
import { useNonce } from '../client/providers.tsx'
import { Link } from '../components/layout/link.tsx'
import { PageFrame } from '../components/layout/page-frame.tsx'
import styles from './api-reference.module.css'

const DOCUMENT = '/api/openapi/public/v1.json'
const ASSETS = '/docs/assets'

type SwaggerUi = (options: {
  url: string
  domNode: Element
  deepLinking: boolean
  docExpansion: 'list' | 'none'
  filter: boolean
  defaultModelsExpandDepth: number
  displayRequestDuration: boolean
  persistAuthorization: boolean
  requestSnippetsEnabled: boolean
  requestSnippets: { generators: Record<string, { title: string; syntax: string }> }
  /** Null: the document is judged by our own tests, and by no service elsewhere. */
  validatorUrl: null
}) => void

/** The public API's own document, laid out for reading and for trying it with a key. */
export function ApiReference() {
  const nonce = useNonce()
  const container = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: true }) === 'dark'

  // The reader's own style has a dark side under this class.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', isDark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [isDark])

  const show = () => {
    const { SwaggerUIBundle } = window as unknown as { SwaggerUIBundle?: SwaggerUi }
    if (!container.current || !SwaggerUIBundle) return setState('failed')
    SwaggerUIBundle({
      url: DOCUMENT,
      domNode: container.current,
      deepLinking: true,
      docExpansion: 'list',
      filter: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      // A pasted key is gone with the page.
      persistAuthorization: false,
      requestSnippetsEnabled: true,
      requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } } },
      validatorUrl: null,
    })
    setState('ready')
  }

  return (
    <PageFrame
      title="API reference"
      intro={
        <>
          Programs call the API with a key you make under{' '}
          <Anchor component={Link} href="/account/keys" inherit underline="always">
            API keys
          </Anchor>
          ; paste one under Authorize to try an operation here. What holds for all of them is in the{' '}
          <Anchor component={Link} href="/docs/guide" inherit underline="always">
            guide
          </Anchor>
          . The document itself is at <Code>{DOCUMENT}</Code>.
        </>
      }
    >
      <link rel="stylesheet" href={`${ASSETS}/swagger-ui.css`} precedence="default" />
      <Script
        src={`${ASSETS}/swagger-ui-bundle.js`}
        nonce={nonce}
        onReady={show}
        onError={() => setState('failed')}
        strategy="afterInteractive"
      />
      {state === 'loading' && <Loader aria-label="Loading" />}
      {state === 'failed' && (
        <Alert color="red" variant="light">
          The reference could not be loaded. The document itself is at <Anchor href={DOCUMENT}>{DOCUMENT}</Anchor>.
        </Alert>
      )}
      <Paper withBorder p={{ base: 0, sm: 'md' }} hidden={state !== 'ready'}>
        <div ref={container} className={styles.reader} />
      </Paper>
    </PageFrame>
  )
}
