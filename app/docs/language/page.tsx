import type { Metadata } from 'next'
import { readChapter } from '../markdown/chapter.ts'
import { MarkdownLink } from '../markdown/markdown-link.tsx'
import { Language } from './language.tsx'

export const metadata: Metadata = { title: 'Script language' }

export default function LanguagePage() {
  return (
    <>
      <MarkdownLink path="/docs/language" />
      <Language chapter={readChapter('The script language')} />
    </>
  )
}
