import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { MarkdownLink } from '../../markdown/markdown-link.tsx'
import { findOperation } from '../../reference/document.ts'
import { OperationView } from '../../reference/operation-view.tsx'

type Props = { params: Promise<{ operationId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = findOperation((await params).operationId)
  return { title: found?.operation.summary ?? 'Not found' }
}

export default async function OperationPage({ params }: Props) {
  const { operationId } = await params
  const found = findOperation(operationId)
  if (!found) notFound()
  return (
    <>
      <MarkdownLink path={`/docs/operations/${operationId}`} />
      <OperationView {...found} />
    </>
  )
}
