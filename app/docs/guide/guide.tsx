'use client'

import { Anchor, List } from '@mantine/core'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import type { Chapter } from '../markdown/chapter.ts'
import { Markdown } from '../markdown/markdown.tsx'

/** The contents of the guide: each page with its sections. */
export type GuideContents = { path: string; title: string; sections: { title: string; anchor: string }[] }[]

/** A page of the guide. The first page lists the contents of all pages, the others only their own. */
export function Guide({ path, chapter, contents }: { path: string; chapter: Chapter; contents: GuideContents }) {
  const isFirst = path === contents[0]?.path
  return (
    <PageFrame
      title={chapter.title}
      crumbs={isFirst ? [] : [{ label: 'API guide', href: '/docs/guide' }]}
      intro={<Markdown text={chapter.intro} inline />}
    >
      <Section title="Contents" anchor="contents">
        <nav aria-label="Contents">
          <List spacing="xs">
            {contents
              .filter((page) => isFirst || page.path === path)
              .map((page) => (
                <List.Item key={page.path}>
                  <Anchor component={Link} href={page.path} inherit underline="always">
                    {page.title}
                  </Anchor>
                  <List size="sm" withPadding>
                    {page.sections.map(({ title, anchor }) => (
                      <List.Item key={anchor}>
                        <Anchor component={Link} href={`${page.path}#${anchor}`} inherit underline="always">
                          {title}
                        </Anchor>
                      </List.Item>
                    ))}
                  </List>
                </List.Item>
              ))}
          </List>
        </nav>
      </Section>
      {chapter.sections.map(({ title, anchor, text }) => (
        <Section key={anchor} title={title} anchor={anchor}>
          <Markdown text={text} />
        </Section>
      ))}
    </PageFrame>
  )
}
