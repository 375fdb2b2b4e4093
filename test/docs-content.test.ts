import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOOKS, pagesOf } from '#app/docs/books.ts'
import { ROOT } from '#server/process/program.ts'
import { deadLinksOf } from '#test/support/code/markdown-links.ts'

// The documentation's Markdown files, held against how they are written and what they name.

const LINES_MAX = 150
const SENTENCES_MAX = 5
const CHARACTERS_MAX = 200

const files = Object.values(BOOKS).flatMap(({ folder, names }) => names.map((name) => `${folder}/${name}.md`))

test('every Markdown file is a page of a book', () => {
  const folders = Object.values(BOOKS).map(({ folder }) => folder)
  expect(folders.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: ROOT })).sort()).toEqual([...files].sort())
})

describe.each(Object.values(BOOKS))('$folder', ({ folder, names: [first, ...others] }) => {
  const start = `${folder}/${first}.md`

  test('has a first page that the README links to, and that lists the others by their titles', () => {
    expect(read('README.md')).toContain(`](${start})`)
    const [, list = ''] = /^## Pages\n([\s\S]*?)^## /m.exec(read(start)) ?? []
    const linked = [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): \S/gm)].map(([, title, file]) => [file, title])
    const titleOf = (name: string) => /^# (.*)/.exec(read(`${folder}/${name}.md`))?.[1]
    expect(linked).toEqual(others.map((name) => [`${name}.md`, titleOf(name)]))
  })
})

describe.each(files)('%s', (file) => {
  const text = read(file)
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')

  test(`has one title, at most ${LINES_MAX} lines, and at most ${SENTENCES_MAX} sentences in a paragraph`, () => {
    expect(prose.match(/^# \S/gm)).toHaveLength(1)
    expect(linesOf(text).length).toBeLessThanOrEqual(LINES_MAX)
    expect(longParagraphsOf(prose)).toEqual([])
  })

  test('links to other pages by their files, which works on a code host and at /docs', () => {
    expect(deadLinksOf(file)).toEqual([])
    expect(text.match(/\]\(\/docs\/(guide|language|operate)\b[^)]*\)/g)).toBeNull()
  })

  test('names only npm scripts that there are', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = [...text.matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

test(`the README has at most ${LINES_MAX} lines of at most ${CHARACTERS_MAX} characters, and no dead link`, () => {
  const text = read('README.md')
  const lines = linesOf(text)
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX)
  expect(lines.filter((line) => line.length > CHARACTERS_MAX && !isTableOrLinks(line))).toEqual([])
  expect(longParagraphsOf(text.replace(/^```[\s\S]*?^```$/gm, ''))).toEqual([])
  expect(deadLinksOf('README.md')).toEqual([])
})

test('the pages of the language show the examples that a test runs', () => {
  const shown = pagesOf('language').flatMap(({ chapter }) =>
    chapter.sections.flatMap(({ text }) => [...text.matchAll(/```lace\n([\s\S]*?)```/g)].map(([, block]) => block)),
  )
  const examples = globSync('test/lace/examples/*.lace', { cwd: ROOT }).sort()
  expect(examples.length).toBeGreaterThan(0)
  expect(shown).toEqual(examples.map(read))
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}

/** Returns whether a line is a row of a table, or has nothing but links. */
function isTableOrLinks(line: string): boolean {
  return line.startsWith('|') || /^[\s·,.-]*$/.test(line.replace(/!?\[[^\]]*\]\([^)]*\)/g, ''))
}

/** Returns the paragraphs and items of lists with too many sentences. Tables, headings and comments do not count. */
function longParagraphsOf(prose: string): string[] {
  const paragraphs = prose.split(/\n\n|\n(?=- |\d+\. )/).filter((part) => !/^[|#<]/.test(part.trim()))
  return paragraphs.filter((part) => sentencesOf(part) > SENTENCES_MAX)
}

/** Counts the ends of sentences outside code. */
function sentencesOf(paragraph: string): number {
  return (
    paragraph
      .replace(/^\d+\. /, '')
      .replace(/`[^`]*`/g, 'code')
      .match(/[.?!](?=\s|$)/g)?.length ?? 0
  )
}
