import { onOneLine } from './text.ts'

// The content of a mail, from which its text and its HTML are rendered. Whoever writes a content separates the names in it
// (`unlinked`): both renderings show its texts as they are, each on one line.

export type Tone = 'bad' | 'good' | 'warning'

export type MailLink = { label: string; url: string }

export type ListItem = { tone: Tone; title: string; detail: string | null; url?: string | null }

export type MailBlock =
  | { kind: 'facts'; rows: [label: string, value: string][] }
  | { kind: 'quote'; label: string; text: string }
  | { kind: 'list'; label: string; items: ListItem[]; more?: string | null }
  | { kind: 'links'; links: MailLink[] }

/** A sentence, or a link. */
export type FooterLine = { text: string; link?: never } | { text?: never; link: MailLink }

export type MailContent = {
  tone: Tone
  /** The badge of the HTML: `Failed`. */
  label: string
  /** The problem in one sentence without a full stop: the first line of the text. */
  summary: string
  /** The heading of the HTML, and the line above it, which says where. */
  title: string
  where: string
  blocks: MailBlock[]
  /** Why the recipient gets the mail, and how to stop it. */
  footer: FooterLine[]
}

export function renderText({ summary, blocks, footer }: MailContent): string {
  const parts = [`${onOneLine(summary)}.`, ...blocks.map(blockText)]
  const lines = footer.map(({ text, link }) => (link ? `${link.label}: ${link.url}` : onOneLine(text)))
  return [...parts, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${onOneLine(value)}`).join('\n')
    case 'quote':
      return [`${block.label}:`, ...quotedLines(block.text).map((line) => `> ${line}`)].join('\n')
    case 'list': {
      const lines = block.items.map(({ title, detail, url }) =>
        [`- ${onOneLine(title)}${detail ? `: ${onOneLine(detail)}` : ''}`, ...(url ? [`  ${url}`] : [])].join('\n'),
      )
      return [`${block.label}:`, ...lines, ...(block.more ? [block.more] : [])].join('\n')
    }
    case 'links':
      return block.links.map(({ label, url }) => `${label}: ${url}`).join('\n')
  }
}

/** Returns the lines of a text that a target chose, each safe for a mail. */
export function quotedLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).map(onOneLine)
}
