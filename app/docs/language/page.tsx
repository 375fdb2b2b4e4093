import type { Metadata } from 'next'
import { readChapter } from '../markdown/chapter.ts'
import { Language } from './language.tsx'

export const metadata: Metadata = { title: 'Script language' }

export default function LanguagePage() {
  return <Language chapter={readChapter('The script language')} />
}
