import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOOKS, everyPage, findPage, pagesOf } from '#app/docs/books.ts'
import { findDocument } from '#app/docs/documents.ts'
import { anchorOf } from '#app/docs/markdown/anchors.ts'
import { chapterText } from '#app/docs/markdown/chapter.ts'
import { ROOT } from '#server/process/program.ts'

// The pages for operators on /docs/operate, which are Markdown files.

const FOLDER = 'app/docs/content/operate'
const NAMES = BOOKS.operate.names
const pages = pagesOf('operate')

describe('the pages for operators', () => {
  test('are all files of their folder', () => {
    const files = globSync('*.md', { cwd: join(ROOT, FOLDER) }).map((file) => file.replace('.md', ''))
    expect(files.sort()).toEqual([...NAMES].sort())
    expect(findPage('operate', 'unknown')).toBeUndefined()
  })

  test('have a title, an introduction and sections, and no anchor twice', () => {
    for (const { path, chapter } of pages) {
      expect(
        [chapter.title, chapter.intro].map((text) => text.length > 0),
        path,
      ).toEqual([true, true])
      expect(chapter.sections.length, path).toBeGreaterThan(0)
      const anchors = anchorsOf(chapterText(chapter))
      expect(
        anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index),
        path,
      ).toEqual([])
    }
  })

  test('link only to pages and anchors that there are', () => {
    const links = everyPage().flatMap(({ path, chapter }) =>
      [...chapterText(chapter).matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, href = '']) => ({ path, href })),
    )
    expect(links.filter(({ href }) => href.startsWith('/docs/operate')).length).toBeGreaterThan(50)
    expect(links.filter(({ href }) => !leadsSomewhere(href))).toEqual([])
  })

  test('are linked by the README and the program only where they are', () => {
    const files = ['README.md', ...globSync('{app,server,worker,db}/**/*.{ts,tsx,yml,yaml}', { cwd: ROOT })]
    const links = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\/docs\/operate(?:\/[a-z-]+)?(?:#[a-z0-9-]+)?/g)].map(
        ([href]) => ({ file, href }),
      ),
    )
    expect(links.filter(({ href }) => !leadsSomewhere(href))).toEqual([])
    const shown = [
      ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/\(app\/docs\/content\/operate\/(.*?)\.md\)/g),
    ]
    expect(shown.map(([, name]) => name).sort()).toEqual([...NAMES].sort())
  })

  test.each(NAMES)('%s has at most 150 lines, and paragraphs of at most five sentences', (name) => {
    const text = readFileSync(join(ROOT, FOLDER, `${name}.md`), 'utf8')
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(150)
    expect(paragraphsOf(text).filter((paragraph) => sentencesOf(paragraph) > 5)).toEqual([])
  })
})

test('troubleshooting quotes only texts that the program has', () => {
  const text = readFileSync(join(ROOT, FOLDER, 'troubleshooting.md'), 'utf8')
  const quoted = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message]) => message as string)
  const program = globSync('{server,worker,db}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  expect(quoted.length).toBeGreaterThan(20)
  expect(quoted.filter((message) => !program.includes(message))).toEqual([])
})

test('a paragraph is measured by its sentences', () => {
  const text = '# Title\n\nOne. Two: `a. B`. Three? Four! Five.\n\n- One. Two.\n- Three.\n\n```sh\na. b.\n```\n'
  expect(paragraphsOf(text).map(sentencesOf)).toEqual([5, 2, 1])
})

/** Returns the paragraphs and items of lists of a page, without headings, tables and examples. */
function paragraphsOf(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n\n|\n(?=- |\d+\. )/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^[#|]/.test(part))
}

function sentencesOf(paragraph: string): number {
  return paragraph
    .replace(/`[^`]*`/g, 'code')
    .replace(/^\d+\. /, '')
    .split(/[.!?]\)?(?:\s|$)/)
    .filter((sentence) => sentence.trim() !== '').length
}

/** Returns whether an address of the documentation has a page, and its anchor a heading. */
function leadsSomewhere(href: string): boolean {
  const [path = '', anchor] = href.split('#')
  const text = findDocument(path)
  return text !== null && (anchor === undefined || anchorsOf(text).includes(anchor))
}

function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^###? (.*)$/gm)].map(([, title]) =>
    anchorOf(title as string),
  )
}
