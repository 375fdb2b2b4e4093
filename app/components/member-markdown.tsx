import { Anchor, Code, List, Text, Title } from '@mantine/core'
import { astToJSX, type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/react'
import { Fragment, type ReactNode, useMemo } from 'react'
import { CodeBlock } from './code-block.tsx'
import { ScrollSideways } from './lists/scroll-sideways.tsx'
import { Table } from './lists/table.tsx'

type Part = { children?: ReactNode }

/** A text of more parts, such as thousands of list items, would block the page of whoever reads it. */
const PARTS_MAX = 5_000

/**
 * Markdown that a member wrote, as elements of the dashboard. HTML in it stays text, links lead to the web or within the
 * installation, and images are links: pages load nothing from other sites. A text of too many parts stays as it is.
 */
export function MemberMarkdown({ text }: { text: string }) {
  return useMemo(() => {
    const parsed = parser(text, OPTIONS)
    if (countParts(parsed) > PARTS_MAX) return <CodeBlock label="Text in Markdown" text={text} wrap />
    return astToJSX(parsed, OPTIONS)
  }, [text])
}

/** Counts lists too: table cells and list items can be empty. */
function countParts(parsed: unknown): number {
  if (typeof parsed !== 'object' || parsed === null) return 0
  return Object.values(parsed).reduce<number>((count, part) => count + countParts(part), 1)
}

function MemberLink({ href = '', children }: Part & { href?: string }) {
  if (!/^(https?:\/\/|mailto:|\/(?![/\\]))/i.test(href)) return <>{children}</>
  return (
    <Anchor href={href} inherit underline="always" target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </Anchor>
  )
}

function ImageLink({ src = '', alt = '' }: { src?: string; alt?: string }) {
  return <MemberLink href={src}>{alt || src}</MemberLink>
}

/** Below the title of the section. Without an id: a text could otherwise take that of another part of the page. */
const heading = (order: 3 | 4 | 5, size: string) => {
  return ({ children }: Part) => (
    <Title order={order} fz={size}>
      {children}
    </Title>
  )
}

function WideTable({ children }: Part) {
  return (
    <ScrollSideways label="Table">
      <Table verticalSpacing="xs">{children}</Table>
    </ScrollSideways>
  )
}

const OPTIONS: MarkdownToJSX.Options = {
  wrapper: Fragment,
  forceBlock: true,
  disableParsingRawHTML: true,
  overrides: {
    a: MemberLink,
    img: ImageLink,
    code: Code,
    p: ({ children }: Part) => <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>,
    h1: heading(3, 'lg'),
    h2: heading(3, 'md'),
    h3: heading(4, 'md'),
    h4: heading(5, 'sm'),
    h5: heading(5, 'sm'),
    h6: heading(5, 'sm'),
    ul: { component: List, props: { spacing: 'xs' } },
    ol: { component: List, props: { spacing: 'xs', type: 'ordered' } },
    li: ({ children }: Part) => <List.Item style={{ overflowWrap: 'anywhere' }}>{children}</List.Item>,
    table: WideTable,
    // The renderer passes an empty class, which would replace that of the table's parts.
    thead: ({ children }: Part) => <Table.Thead>{children}</Table.Thead>,
    tbody: ({ children }: Part) => <Table.Tbody>{children}</Table.Tbody>,
    tr: ({ children }: Part) => <Table.Tr>{children}</Table.Tr>,
    th: ({ children }: Part) => <Table.Th>{children}</Table.Th>,
    td: ({ children }: Part) => <Table.Td style={{ verticalAlign: 'top' }}>{children}</Table.Td>,
  },
  renderRule: (next, node, _render, state) =>
    node.type === RuleType.codeBlock ? <CodeBlock key={state.key} label="Code" text={node.text} wrap /> : next(),
}
