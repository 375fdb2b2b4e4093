import { type DocsPage, parseChapter, readMarkdown } from '../markdown/chapter.ts'

/** The pages for operators in their order. The first is `/docs/operate`, the others are below it. */
export const OPERATE_PAGES = [
  'operate',
  'settings',
  'limits',
  'processes',
  'database',
  'scaling',
  'backups',
  'upgrades',
  'keys',
  'mail',
  'accounts',
  'domains',
  'private-networks',
  'health',
  'metrics',
  'traces',
  'agents',
  'security',
  'troubleshooting',
] as const
export type OperatePageName = (typeof OPERATE_PAGES)[number]

/** Returns a page for operators, or undefined. Its text is a Markdown file. */
export function findOperatePage(name: string): DocsPage | undefined {
  const known = OPERATE_PAGES.find((each) => each === name)
  if (known === undefined) return undefined
  return { path: operatePath(known), chapter: parseChapter(readMarkdown(`app/docs/content/operate/${known}.md`)) }
}

export function operatePath(name: OperatePageName): string {
  return name === 'operate' ? '/docs/operate' : `/docs/operate/${name}`
}

export function operatePages(): DocsPage[] {
  return OPERATE_PAGES.flatMap((name) => findOperatePage(name) ?? [])
}
