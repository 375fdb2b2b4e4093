import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Chapter = {
  title: string
  intro: string
  sections: { title: string; text: string }[]
}

/** A chapter of the README, in Markdown: what it says of the product, pages show as it stands there. */
export function readChapter(title: string): Chapter {
  const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8')
  const [, ...chapters] = readme.split(/^## /m)
  const found = chapters.find((chapter) => chapter.startsWith(`${title}\n`))
  if (found === undefined) throw new Error(`the README has no chapter "${title}"`)
  const [intro = '', ...sections] = found.slice(title.length).split(/^### /m)
  return {
    title,
    intro: intro.trim(),
    sections: sections.map((section) => {
      const end = section.indexOf('\n')
      return { title: section.slice(0, end), text: section.slice(end).trim() }
    }),
  }
}
