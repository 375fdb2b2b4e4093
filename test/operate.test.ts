import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOOKS, findPage, pagesOf } from '#app/docs/books.ts'
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

  test('are linked by the program only where they are', () => {
    const files = globSync('{app,server,worker,db}/**/*.{ts,tsx,yml,yaml}', { cwd: ROOT })
    const links = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\/docs\/operate(?:\/[a-z-]+)?(?:#[a-z0-9-]+)?/g)].map(
        ([href]) => ({ file, href }),
      ),
    )
    expect(links.filter(({ href }) => !leadsSomewhere(href))).toEqual([])
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
