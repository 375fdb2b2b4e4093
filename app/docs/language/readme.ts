import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Chapter = {
  title: string
  intro: string
  sections: { title: string; text: string }[]
}

/**
 * Reads a chapter of the README as Markdown, so that the page and the README cannot differ.
 *
 * @throws Error if the README has no such chapter
 */
export function readChapter(title: string): Chapter {
  const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8')
  const [, ...chapters] = readme.split(/^## /m)
  const chapter = chapters.find((text) => text.startsWith(`${title}\n`))
  if (chapter === undefined) throw new Error(`the README has no chapter "${title}"`)
  const [intro = '', ...sections] = chapter.slice(title.length).split(/^### /m)
  return {
    title,
    intro: intro.trim(),
    sections: sections.map((section) => {
      const end = section.indexOf('\n')
      return { title: section.slice(0, end), text: section.slice(end).trim() }
    }),
  }
}
