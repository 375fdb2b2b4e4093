'use client'

import { Anchor, Code, Text } from '@mantine/core'
import Markdown, { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import { Fragment, type ReactNode } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { ScrollSideways } from '../../components/lists/scroll-sideways.tsx'
import { Table } from '../../components/lists/table.tsx'
import { KIND_TITLES, WORD_KINDS, WORDS } from '../../components/script-editor/reference.ts'
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
      <Section title="Words">
        <Words />
      </Section>
    </PageFrame>
  )
}

/** The words that the editor completes and explains, by group. */
function Words() {
  return (
    <WideTable>
      <Table.Tbody>
        {WORD_KINDS.flatMap((kind) =>
          WORDS[kind].map(({ name, text }) => (
            <Table.Tr key={`${kind} ${name}`}>
              <Table.Td c="dimmed">{KIND_TITLES[kind]}</Table.Td>
              <Table.Td>
                <Code>{name}</Code>
              </Table.Td>
              <Table.Td>{text.replaceAll('`', '')}</Table.Td>
            </Table.Tr>
          )),
        )}
      </Table.Tbody>
    </WideTable>
  )
}

/** Code in a table does not break, so the table may be wider than a phone. */
function WideTable({ children }: { children?: ReactNode }) {
  return (
    <ScrollSideways label="Table">
      <Table verticalSpacing="xs">{children}</Table>
    </ScrollSideways>
  )
}

const OPTIONS: MarkdownToJSX.Options = {
  wrapper: Fragment,
  disableParsingRawHTML: true,
  overrides: {
    a: { component: Anchor, props: { inherit: true, underline: 'always' } },
    code: Code,
    p: Text,
    table: WideTable,
    thead: Table.Thead,
    tbody: Table.Tbody,
    tr: Table.Tr,
    th: Table.Th,
    td: Table.Td,
  },
  renderRule: (next, node) =>
    node.type === RuleType.codeBlock ? <CodeBlock key={node.text} label="Example" text={node.text} /> : next(),
}
