import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { MarkdownLink } from '../markdown/markdown-link.tsx'
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
  return (
    <>
      <MarkdownLink path={page.path} />
      <Guide path={page.path} chapter={page.chapter} contents={contents} />
    </>
  )
}

export function guideMetadata(name: string): Metadata {
  return { title: findGuidePage(name)?.chapter.title ?? 'Not found' }
}
