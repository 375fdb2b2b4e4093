import MiniSearch from 'minisearch'
import { everyPage } from '../books.ts'
import { anchorOf } from '../markdown/anchors.ts'
import { findOperation, operationGroups } from '../reference/document.ts'
import { SEARCH_CHARACTERS_MAX } from './bounds.ts'

/** A section of a page, or an operation. `page` is the title of the page that it is in. */
type Entry = { path: string; title: string; page: string; text: string }

/** A place in the documentation that has the searched words, with the start of its text. */
export type Hit = { path: string; title: string; page: string; excerpt: string }

const HITS_MAX = 20
const EXCERPT_CHARACTERS = 160

let index: MiniSearch<Entry> | undefined

/** Returns the sections and operations that have all words of the search, or begin with them, best first. */
export function searchDocs(text: string): Hit[] {
  index ??= createIndex()
  const words = text.slice(0, SEARCH_CHARACTERS_MAX)
  return index
    .search(words, { combineWith: 'AND', prefix: true, boost: { title: 4, page: 2 } })
    .slice(0, HITS_MAX)
    .map(({ id, title, page, text }) => ({ path: id, title, page, excerpt: excerptOf(text, words) }))
}

function createIndex(): MiniSearch<Entry> {
  const created = new MiniSearch<Entry>({
    idField: 'path',
    fields: ['title', 'page', 'text'],
    tokenize: wordsOf,
    storeFields: ['title', 'page', 'text'],
  })
  created.addAll([...sections(), ...operations()])
  return created
}

function sections(): Entry[] {
  return everyPage().flatMap(({ path, chapter }) => [
    { path, title: chapter.title, page: '', text: plain(chapter.intro) },
    ...chapter.sections.flatMap(({ title, anchor, text }) => {
      const [start = '', ...parts] = text.split(/^### /m)
      return [
        { path: `${path}#${anchor}`, title, page: chapter.title, text: plain(start) },
        ...parts.map((part) => {
          const [, heading = '', rest = ''] = /^(.*)\n?([\s\S]*)/.exec(part) ?? []
          return { path: `${path}#${anchorOf(heading)}`, title: plain(heading), page: chapter.title, text: plain(rest) }
        }),
      ]
    }),
  ])
}

function operations(): Entry[] {
  return operationGroups()
    .flatMap((group) => group.operations)
    .map(({ id, method, path, summary }) => ({
      path: `/docs/operations/${id}`,
      title: summary,
      page: 'API reference',
      text: plain(`${method} ${path} · ${id} · ${findOperation(id)?.operation.description ?? ''}`),
    }))
}

/** Returns the text of Markdown on one line, without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/^```\w*$|^\|[-|]+\|$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`|\*\*|^- |^\| *| *\|$/gm, '')
    .replace(/ \| /g, ' · ')
    .replace(/\s+/g, ' ')
    .trim()
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u)
}

/** Returns the part of the text around the first searched word that is in it. */
function excerptOf(text: string, searched: string): string {
  const lower = text.toLowerCase()
  const places = wordsOf(searched.toLowerCase()).map((word) => (word === '' ? -1 : lower.indexOf(word)))
  const first = Math.min(...places.filter((place) => place >= 0), text.length)
  const isNear = first === text.length || first < EXCERPT_CHARACTERS / 2
  const start = isNear ? 0 : text.lastIndexOf(' ', first - EXCERPT_CHARACTERS / 4) + 1
  const limit = start + EXCERPT_CHARACTERS
  const end = limit < text.length ? text.lastIndexOf(' ', limit) : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(end, first))}${end < text.length ? ' …' : ''}`
}
