import type { Metadata } from 'next'
import { Language } from './language.tsx'
import { readChapter } from './readme.ts'

export const metadata: Metadata = { title: 'Script language' }

export default function LanguagePage() {
  return <Language chapter={readChapter('The script language')} />
}
