import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { findOperation } from '../../reference/document.ts'
import { OperationView } from '../../reference/operation-view.tsx'

type Props = { params: Promise<{ operationId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = findOperation((await params).operationId)
  return { title: found?.operation.summary ?? 'Not found' }
}

export default async function OperationPage({ params }: Props) {
  const found = findOperation((await params).operationId)
  if (!found) notFound()
  return <OperationView {...found} />
}
