import type { Metadata } from 'next'
import { DocsPageView } from '../guide/docs-page.tsx'
import { findOperatePage, operatePages } from './pages.ts'

/** A page for operators by its name, or 404. */
export function OperateView({ name }: { name: string }) {
  return <DocsPageView page={findOperatePage(name)} pages={operatePages()} />
}

export function operateMetadata(name: string): Metadata {
  return { title: findOperatePage(name)?.chapter.title ?? 'Not found' }
}
