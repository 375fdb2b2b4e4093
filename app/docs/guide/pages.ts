import { type Chapter, type DocsPage, parseChapter, readMarkdown } from '../markdown/chapter.ts'
import { INSERTS } from './inserts.ts'

/** The pages of the guide in their order. The first is `/docs/guide`, the others are below it. */
export const GUIDE_PAGES = [
  'guide',
  'runs',
  'recipes',
  'results',
  'scripts',
  'webhooks',
  'metrics',
  'agents',
  'mcp',
] as const
export type GuidePageName = (typeof GUIDE_PAGES)[number]

/** Returns a page of the guide, or undefined. Its text is a Markdown file, with generated parts where it says so. */
export function findGuidePage(name: string): DocsPage | undefined {
  const known = GUIDE_PAGES.find((each) => each === name)
  if (known === undefined) return undefined
  const text = readMarkdown(`app/docs/guide/content/${known}.md`)
  const chapter = chapters.get(text) ?? parseChapter(text.replace(/^<!-- (\w+) -->$/gm, (_, name) => insert(name)))
  chapters.set(text, chapter)
  return { path: guidePath(known), chapter }
}

/** Chapters by their texts, because the generated parts of all take 3 ms. */
const chapters = new Map<string, Chapter>()

export function guidePath(name: GuidePageName): string {
  return name === 'guide' ? '/docs/guide' : `/docs/guide/${name}`
}

export function guidePages(): DocsPage[] {
  return GUIDE_PAGES.flatMap((name) => findGuidePage(name) ?? [])
}

function insert(name: string): string {
  const text = INSERTS[name]
  if (!text) throw new Error(`the guide has no generated part "${name}"`)
  return text()
}
