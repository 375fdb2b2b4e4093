'use client'

import { Anchor, Code, Table, Text } from '@mantine/core'
import Markdown, { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import { Fragment } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import type { Chapter } from './readme.ts'

/** A chapter of the README as a page. A test executes its examples. */
export function Language({ chapter }: { chapter: Chapter }) {
  return (
    <PageFrame
      title={chapter.title}
      intro={<Markdown options={{ ...OPTIONS, forceInline: true }}>{chapter.intro}</Markdown>}
    >
      {chapter.sections.map(({ title, text }) => (
        <Section key={title} title={title}>
          <Markdown options={OPTIONS}>{text}</Markdown>
        </Section>
      ))}
    </PageFrame>
  )
}

const OPTIONS: MarkdownToJSX.Options = {
  wrapper: Fragment,
  disableParsingRawHTML: true,
  overrides: {
    a: { component: Anchor, props: { inherit: true, underline: 'always' } },
    code: Code,
    p: Text,
    table: { component: Table, props: { verticalSpacing: 'xs' } },
    thead: Table.Thead,
    tbody: Table.Tbody,
    tr: Table.Tr,
    th: Table.Th,
    td: Table.Td,
  },
  renderRule: (next, node) =>
    node.type === RuleType.codeBlock ? <CodeBlock key={node.text} label="Example" text={node.text} /> : next(),
}
