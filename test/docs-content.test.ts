import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOOKS, pagesOf } from '#app/docs/books.ts'
import { ROOT } from '#server/process/program.ts'

// The documentation's Markdown files, held against how they are written and what they name.

const LINES_MAX = 150
const SENTENCES_MAX = 5

const files = Object.values(BOOKS).flatMap(({ folder, names }) => names.map((name) => `${folder}/${name}.md`))

test('every Markdown file is a page of a book, and stands in the README', () => {
  const folders = Object.values(BOOKS).map(({ folder }) => folder)
  expect(folders.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: ROOT })).sort()).toEqual([...files].sort())
  const [, list = ''] = /^## What to read next\n([\s\S]*?)^## /m.exec(read('README.md')) ?? []
  const linked = [...list.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, title, file]) => [file, title])
  expect(linked).toEqual(expect.arrayContaining(files.map((file) => [file, /^# (.*)/.exec(read(file))?.[1]])))
})

describe.each(files)('%s', (file) => {
  const text = read(file)
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')

  test(`has one title, and at most ${LINES_MAX} lines`, () => {
    expect(prose.match(/^# \S/gm)).toHaveLength(1)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  })

  test(`has no paragraph of more than ${SENTENCES_MAX} sentences`, () => {
    const paragraphs = prose.split(/\n\n|\n(?=- |\d+\. )/).filter((part) => !/^[|#<]/.test(part.trim()))
    expect(paragraphs.filter((part) => sentencesOf(part) > SENTENCES_MAX)).toEqual([])
  })

  test('names only npm scripts that there are', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = [...text.matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
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

/** Counts the ends of sentences outside code. */
function sentencesOf(paragraph: string): number {
  return (
    paragraph
      .replace(/^\d+\. /, '')
      .replace(/`[^`]*`/g, 'code')
      .match(/[.?!](?=\s|$)/g)?.length ?? 0
  )
}
