'use client'

import { Code } from '@mantine/core'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Table } from '../../components/lists/table.tsx'
import { KIND_TITLES, WORD_KINDS, WORDS } from '../../components/script-editor/reference.ts'
import type { Chapter } from '../markdown/chapter.ts'
import { Markdown, WideTable } from '../markdown/markdown.tsx'

/** A chapter of the README as a page. A test executes its examples. */
export function Language({ chapter }: { chapter: Chapter }) {
  return (
    <PageFrame title={chapter.title} intro={<Markdown text={chapter.intro} inline />}>
      {chapter.sections.map(({ title, anchor, text }) => (
        <Section key={title} title={title} anchor={anchor}>
          <Markdown text={text} />
        </Section>
      ))}
      <Section title="Words" anchor="words">
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
