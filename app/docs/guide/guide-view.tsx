import type { Metadata } from 'next'
import { DocsPageView } from './docs-page.tsx'
import { findGuidePage, guidePages } from './pages.ts'

/** A page of the guide by its name, or 404. */
export function GuideView({ name }: { name: string }) {
  return <DocsPageView page={findGuidePage(name)} pages={guidePages()} />
}

export function guideMetadata(name: string): Metadata {
  return { title: findGuidePage(name)?.chapter.title ?? 'Not found' }
}
