import { Anchor } from '@mantine/core'
import type { Metadata } from 'next'
import { Link } from '../components/layout/link.tsx'
import { PageFrame } from '../components/layout/page-frame.tsx'
import { server } from '../server.ts'
import { MarkdownLink } from './markdown/markdown-link.tsx'
import { operationGroups } from './reference/document.ts'
import { OperationList } from './reference/operation-list.tsx'

export const metadata: Metadata = { title: 'API reference' }

export default function ApiReferencePage() {
  return (
    <PageFrame
      title="API reference"
      intro={
        <>
          Programs call the API with a key that you create under{' '}
          <Anchor component={Link} href="/account/keys" inherit underline="always">
            API keys
          </Anchor>
          . Each operation below can be tried with a key. What all operations have in common is in the{' '}
          <Anchor component={Link} href="/docs/guide" inherit underline="always">
            guide
          </Anchor>
          . The OpenAPI document is at{' '}
          <Anchor href={server.DOCUMENT_PATH} inherit underline="always">
            {server.DOCUMENT_PATH}
          </Anchor>
          .
        </>
      }
    >
      <MarkdownLink path="/docs" />
      <OperationList groups={operationGroups()} />
    </PageFrame>
  )
}
