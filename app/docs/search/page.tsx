import type { Metadata } from 'next'
import { Hits } from './hits.tsx'
import { searchDocs } from './search.ts'

type Props = { searchParams: Promise<{ q?: string | string[] }> }

export const metadata: Metadata = { title: 'Search the documentation' }

export default async function DocsSearchPage({ searchParams }: Props) {
  const { q = '' } = await searchParams
  const text = [q].flat()[0] ?? ''
  return <Hits text={text} hits={searchDocs(text)} />
}
