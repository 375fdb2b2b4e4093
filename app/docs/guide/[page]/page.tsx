import type { Metadata } from 'next'
import { GuideView, guideMetadata } from '../guide-view.tsx'

type Props = { params: Promise<{ page: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return guideMetadata((await params).page)
}

export default async function GuideSubpage({ params }: Props) {
  const { page } = await params
  // The first page has its own address.
  return <GuideView name={page === 'guide' ? '' : page} />
}
