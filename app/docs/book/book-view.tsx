'use client'

import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import type { Chapter } from '../markdown/chapter.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { type BookContents, Contents, Sections } from './contents.tsx'
import { Neighbours } from './neighbours.tsx'

/** A page of a book. The first page ends with the sections of all pages. */
export function BookView({ path, chapter, contents }: { path: string; chapter: Chapter; contents: BookContents }) {
  const [first] = contents
  const isFirst = path === first?.path
  return (
    <PageFrame
      title={chapter.title}
      crumbs={isFirst || !first ? [] : [{ label: first.title, href: first.path }]}
      intro={<Markdown text={chapter.intro} inline />}
    >
      <Section title="On this page" anchor="contents">
        <nav aria-label="On this page">
          <Sections page={{ path, sections: chapter.sections }} inColumns />
        </nav>
      </Section>
      {chapter.sections.map(({ title, anchor, text }) => (
        <Section key={anchor} title={title} anchor={anchor}>
          <Markdown text={text} />
        </Section>
      ))}
      {isFirst && (
        <Section title="All pages" anchor="all-pages">
          <Contents contents={contents} />
        </Section>
      )}
      <Neighbours contents={contents} path={path} />
    </PageFrame>
  )
}
