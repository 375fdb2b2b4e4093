import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorOf } from '#app/docs/markdown/anchors.ts'
import { chapterText } from '#app/docs/markdown/chapter.ts'
import { findOperatePage, OPERATE_PAGES, operatePages } from '#app/docs/operate/pages.ts'
import { ROOT } from '#server/process/program.ts'

// The pages for operators on /docs/operate, which are Markdown files.

const FOLDER = 'app/docs/content/operate'
const pages = operatePages()

describe('the pages for operators', () => {
  test('are all files of their folder', () => {
    const files = globSync('*.md', { cwd: join(ROOT, FOLDER) }).map((file) => file.replace('.md', ''))
    expect(files.sort()).toEqual([...OPERATE_PAGES].sort())
    expect(findOperatePage('unknown')).toBeUndefined()
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

  test.each(OPERATE_PAGES)('%s has at most 150 lines, and paragraphs of at most five sentences', (name) => {
    const text = readFileSync(join(ROOT, FOLDER, `${name}.md`), 'utf8')
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(150)
    expect(paragraphsOf(text).filter((paragraph) => sentencesOf(paragraph) > 5)).toEqual([])
  })
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

function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^###? (.*)$/gm)].map(([, title]) =>
    anchorOf(title as string),
  )
}
