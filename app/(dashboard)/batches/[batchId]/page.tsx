import type { Metadata } from 'next'
import { batchTitle } from '../../../client/titles/titles.ts'
import { load, Prefetch } from '../../../prefetch.tsx'
import { BatchView } from './batch-view.tsx'

type Props = { params: Promise<{ batchId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await load('batches.get', { id: (await params).batchId })
  return { title: batch ? batchTitle(batch) : 'Batch' }
}

export default async function BatchPage({ params }: Props) {
  const { batchId: id } = await params
  return (
    <Prefetch load={(load) => load('batches.get', { id })}>
      <BatchView id={id} />
    </Prefetch>
  )
}
