import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from './anchors.ts'

/** A page of Markdown: its title, its introduction, and its sections. */
export type Chapter = { title: string; intro: string; sections: ChapterSection[] }

export type ChapterSection = { title: string; anchor: string; text: string }

/** A page of a section of the documentation, such as the guide, with its address. */
export type DocsPage = { path: string; chapter: Chapter }

/**
 * Reads a chapter of the README, so that the page and the README cannot differ.
 *
 * @throws Error if the README has no such chapter
 */
export function readChapter(title: string): Chapter {
  const [, ...chapters] = readMarkdown('README.md').split(/^## /m)
  const chapter = chapters.find((text) => text.startsWith(`${title}\n`))
  if (chapter === undefined) throw new Error(`the README has no chapter "${title}"`)
  // One level up: a chapter of the README is a page.
  return parseChapter(`# ${chapter}`.replace(/^###/gm, '##'))
}

export function readMarkdown(file: string): string {
  return readFileSync(join(process.cwd(), file), 'utf8')
}

/** Splits a page of Markdown at its headings of the first and second level. */
export function parseChapter(markdown: string): Chapter {
  const [head = '', ...sections] = markdown.split(/^## /m)
  const [, title = '', intro = ''] = /^# (.*)\n([\s\S]*)/.exec(head) ?? []
  return {
    title,
    intro: intro.trim(),
    sections: sections.map((section) => {
      const end = section.indexOf('\n')
      const name = section.slice(0, end)
      return { title: name, anchor: anchorOf(name), text: section.slice(end).trim() }
    }),
  }
}

/** Returns the page as Markdown again, for programs. */
export function chapterText({ title, intro, sections }: Chapter): string {
  return [`# ${title}`, intro, ...sections.flatMap((section) => [`## ${section.title}`, section.text])]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}
