import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from './anchors.ts'

/** A page of Markdown: its title, its introduction, and its sections. */
export type Chapter = { title: string; intro: string; sections: ChapterSection[] }

export type ChapterSection = { title: string; anchor: string; text: string }

export function readMarkdown(file: string): string {
  // Else the build traces the whole project, and warns of it.
  return readFileSync(join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8')
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
