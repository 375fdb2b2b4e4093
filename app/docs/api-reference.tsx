'use client'

import { Alert, Anchor, Code, Loader, Paper, useComputedColorScheme } from '@mantine/core'
import Script from 'next/script'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
  /** Null, so that the page does not send the document to an external validator. */
  validatorUrl: null
  plugins: (() => { components: Record<string, (props: { text: ReactNode }) => ReactNode> })[]
}) => void

/**
 * Swagger UI puts links into the buttons that open operations: a button must not contain links, so they become text. Its
 * menu of servers has no label, and there is only this one.
 */
const accessibleParts = () => ({ components: { DeepLink: PlainPath, ServersContainer: Nothing } })

function Nothing() {
  return null
}

function PlainPath({ text }: { text: ReactNode }) {
  return text
}

/** Shows the OpenAPI document with Swagger UI, where readers can try operations with a key. */
export function ApiReference() {
  const nonce = useNonce()
  const container = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: true }) === 'dark'

  // Swagger UI has a dark style under this class.
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
      // Does not store a pasted key.
      persistAuthorization: false,
      requestSnippetsEnabled: true,
      requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } } },
      validatorUrl: null,
      plugins: [accessibleParts],
    })
    setState('ready')
  }

  return (
    <PageFrame
      title="API reference"
      intro={
        <>
          Programs call the API with a key that you create under{' '}
          <Anchor component={Link} href="/account/keys" inherit underline="always">
            API keys
          </Anchor>
          . To try an operation here, paste a key under Authorize. What all operations have in common is in the{' '}
          <Anchor component={Link} href="/docs/guide" inherit underline="always">
            guide
          </Anchor>
          . The OpenAPI document is at <Code>{DOCUMENT}</Code>.
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
          The reference could not be loaded. The OpenAPI document is at <Anchor href={DOCUMENT}>{DOCUMENT}</Anchor>.
        </Alert>
      )}
      <Paper withBorder p={{ base: 0, sm: 'md' }} hidden={state !== 'ready'}>
        <div ref={container} className={styles.swagger} />
      </Paper>
    </PageFrame>
  )
}
