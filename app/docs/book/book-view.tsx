'use client'

import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import type { Chapter } from '../markdown/chapter.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { type BookContents, Contents } from './contents.tsx'
import { Neighbours } from './neighbours.tsx'

/** A page of a book. The first page lists the contents of all pages, the others only their own. */
export function BookView({ path, chapter, contents }: { path: string; chapter: Chapter; contents: BookContents }) {
  const [first] = contents
  const isFirst = path === first?.path
  return (
    <PageFrame
      title={chapter.title}
      crumbs={isFirst || !first ? [] : [{ label: first.title, href: first.path }]}
      intro={<Markdown text={chapter.intro} inline />}
    >
      <Section title="Contents" anchor="contents">
        <Contents contents={contents} path={isFirst ? null : path} />
      </Section>
      {chapter.sections.map(({ title, anchor, text }) => (
        <Section key={anchor} title={title} anchor={anchor}>
          <Markdown text={text} />
        </Section>
      ))}
      <Neighbours contents={contents} path={path} />
    </PageFrame>
  )
}
