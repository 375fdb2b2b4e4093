import { notFound } from 'next/navigation'
import type { DocsPage } from '../markdown/chapter.ts'
import { MarkdownLink } from '../markdown/markdown-link.tsx'
import { Guide } from './guide.tsx'

/** Shows a page with the contents of its section, or 404. */
export function DocsPageView({ page, pages }: { page: DocsPage | undefined; pages: DocsPage[] }) {
  if (!page) notFound()
  const contents = pages.map(({ path, chapter }) => ({
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
