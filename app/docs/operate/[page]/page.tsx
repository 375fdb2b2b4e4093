import type { Metadata } from 'next'
import { OperateView, operateMetadata } from '../operate-view.tsx'

type Props = { params: Promise<{ page: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return operateMetadata((await params).page)
}

export default async function OperateSubpage({ params }: Props) {
  const { page } = await params
  // The first page has its own address.
  return <OperateView name={page === 'operate' ? '' : page} />
}
