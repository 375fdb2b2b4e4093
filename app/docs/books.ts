import { INSERTS } from './guide/inserts.ts'
import { type Chapter, parseChapter, readMarkdown } from './markdown/chapter.ts'

/**
 * The books of the documentation, each a folder of Markdown files in the order of their pages. The first page has the
 * book's own address, such as `/docs/guide`, and lists the others, which are below it.
 */
export const BOOKS = {
  guide: {
    title: 'Guide',
    folder: 'app/docs/content/guide',
    names: [
      ...[
        'guide',
        'services',
        'scripts',
        'dashboard',
        'account',
        'status-board',
        'runs',
        'results',
        'history',
        'incidents',
      ],
      ...[
        'notifications',
        'maintenance',
        'silences',
        'webhooks',
        'deletions',
        'command-line',
        'recipes',
        'monitoring-as-code',
      ],
      ...['clients', 'mcp', 'metrics', 'agents'],
    ],
  },
  language: {
    title: 'Script language',
    folder: 'app/docs/content/language',
    names: ['language', 'examples', 'reference', 'bounds', 'tools'],
  },
  operate: {
    title: 'Operation',
    folder: 'app/docs/content/operate',
    names: [
      ...['operate', 'settings', 'limits', 'processes', 'database', 'scaling', 'backups', 'upgrades', 'keys', 'mail'],
      ...['accounts', 'domains', 'private-networks', 'health', 'metrics', 'traces', 'agents', 'security'],
      'troubleshooting',
    ],
  },
}
export type BookName = keyof typeof BOOKS
export const BOOK_NAMES = Object.keys(BOOKS) as BookName[]

export type DocsPage = { path: string; chapter: Chapter }

/** Returns a page of a book, or undefined. Its text is a Markdown file, with generated parts where it says so. */
export function findPage(book: BookName, name: string): DocsPage | undefined {
  const { folder, names } = BOOKS[book]
  if (!names.includes(name)) return undefined
  const text = readMarkdown(`${folder}/${name}.md`)
  const chapter =
    chapters.get(text) ?? parseChapter(linkPages(text, book).replace(/^<!-- (\w+) -->$/gm, (_, part) => insert(part)))
  chapters.set(text, chapter)
  return { path: pathOf(book, name), chapter }
}

function pathOf(book: BookName, name: string): string {
  return name === BOOKS[book].names[0] ? `/docs/${book}` : `/docs/${book}/${name}`
}

/** Links between files, such as `../operate/settings.md#base_url`, work on a code host. Returns them as links between pages. */
function linkPages(text: string, book: BookName): string {
  return text.replace(
    /\]\((?:\.\.\/(guide|language|operate)\/)?([a-z-]+)\.md(#[^)]*)?\)/g,
    (_, other: BookName | undefined, name: string, anchor = '') =>
      `](${pathOf(other ?? book, name)}${anchor.replaceAll('_', '-')})`,
  )
}

/** Chapters by their texts, because the generated parts of all take 3 ms. */
const chapters = new Map<string, Chapter>()

export function pagesOf(book: BookName): DocsPage[] {
  return BOOKS[book].names.flatMap((name) => findPage(book, name) ?? [])
}

/** Returns the pages of all books. */
export function everyPage(): DocsPage[] {
  return BOOK_NAMES.flatMap(pagesOf)
}

function insert(name: string): string {
  const text = INSERTS[name]
  if (!text) throw new Error(`the documentation has no generated part "${name}"`)
  return text()
}
