import { FirstPage, firstPageMetadata } from '../book/book-page.tsx'

export const metadata = firstPageMetadata('language')

export default function LanguagePage() {
  return <FirstPage book="language" />
}
