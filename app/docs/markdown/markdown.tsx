'use client'

import { Anchor, Code, List, Text, Title } from '@mantine/core'
import { compiler, type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import { Fragment, type ReactNode } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { HeadingLink } from '../../components/layout/heading-link.tsx'
import { Link } from '../../components/layout/link.tsx'
import { ScrollSideways } from '../../components/lists/scroll-sideways.tsx'
import { Table } from '../../components/lists/table.tsx'
import { anchorOf } from './anchors.ts'
import styles from './markdown.module.css'

type Part = { children?: ReactNode }

/**
 * Markdown of the documentation as elements of the dashboard. `inline` renders a sentence without a paragraph. Elements are
 * kept by their texts, which are parts of the program: parsing took a third of the time to render a page.
 */
export function Markdown({ text, inline = false }: { text: string; inline?: boolean }) {
  const known = inline ? inlines : blocks
  const elements =
    known.get(text) ?? compiler(text, { ...OPTIONS, ...(inline ? { forceInline: true } : { forceBlock: true }) })
  known.set(text, elements)
  return elements
}

const [inlines, blocks] = [new Map<string, ReactNode>(), new Map<string, ReactNode>()]

/** Code in a table does not break, so the table may be wider than a phone. */
export function WideTable({ children }: Part) {
  return (
    <ScrollSideways label="Table">
      <Table verticalSpacing="xs">{children}</Table>
    </ScrollSideways>
  )
}

/** A link within the documentation, or to another part of the installation. */
function DocsLink({ href = '', children }: { href?: string; children?: ReactNode }) {
  const isPage = /^\/(docs|account)(\/|$)/.test(href) && !href.endsWith('.md')
  if (!isPage) {
    return (
      <Anchor href={href} inherit underline="always">
        {children}
      </Anchor>
    )
  }
  const isOperation = href.startsWith('/docs/operations/')
  return (
    <Anchor component={Link} href={href} inherit underline="always" className={isOperation ? styles.alone : undefined}>
      {children}
    </Anchor>
  )
}

function Subheading({ id = '', children }: { id?: string; children?: ReactNode }) {
  return (
    <Title order={3} fz="md" id={id}>
      <HeadingLink anchor={id}>{children}</HeadingLink>
    </Title>
  )
}

const OPTIONS: MarkdownToJSX.Options = {
  wrapper: Fragment,
  disableParsingRawHTML: true,
  slugify: anchorOf,
  overrides: {
    a: DocsLink,
    code: Code,
    p: Text,
    h3: Subheading,
    ul: { component: List, props: { spacing: 'xs' } },
    ol: { component: List, props: { spacing: 'xs', type: 'ordered' } },
    li: List.Item,
    table: WideTable,
    // The renderer passes an empty class, which would replace that of the table's parts.
    thead: ({ children }: Part) => <Table.Thead>{children}</Table.Thead>,
    tbody: ({ children }: Part) => <Table.Tbody>{children}</Table.Tbody>,
    tr: ({ children }: Part) => <Table.Tr>{children}</Table.Tr>,
    th: ({ children }: Part) => <Table.Th>{children}</Table.Th>,
    td: ({ children }: Part) => <Table.Td style={{ verticalAlign: 'top' }}>{children}</Table.Td>,
  },
  renderRule: (next, node) =>
    node.type === RuleType.codeBlock ? (
      <CodeBlock key={node.text} label="Example" text={node.text} wrap={node.lang === 'json'} />
    ) : (
      next()
    ),
}
