'use client'

import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import type { Chapter } from '../markdown/chapter.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Contents, type GuideContents } from './contents.tsx'

/** A page of a section, such as the guide. The first page lists the contents of all pages, the others only their own. */
export function Guide({ path, chapter, contents }: { path: string; chapter: Chapter; contents: GuideContents }) {
  const [first] = contents
  const isFirst = path === first?.path
  return (
    <PageFrame
      title={chapter.title}
      crumbs={first && !isFirst ? [{ label: first.title, href: first.path }] : []}
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
    </PageFrame>
  )
}
