import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Guide } from './guide.tsx'
import { findGuidePage, guidePages } from './pages.ts'

/** A page of the guide by its name, or 404. */
export function GuideView({ name }: { name: string }) {
  const page = findGuidePage(name)
  if (!page) notFound()
  const contents = guidePages().map(({ path, chapter }) => ({
    path,
    title: chapter.title,
    sections: chapter.sections.map(({ title, anchor }) => ({ title, anchor })),
  }))
  return <Guide path={page.path} chapter={page.chapter} contents={contents} />
}

export function guideMetadata(name: string): Metadata {
  const page = findGuidePage(name)
  return {
    title: page?.chapter.title ?? 'Not found',
    ...(page && { alternates: { types: { 'text/markdown': `${page.path}.md` } } }),
  }
}
