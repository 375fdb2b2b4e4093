import { FirstPage, firstPageMetadata } from '../book/book-page.tsx'

export const metadata = firstPageMetadata('guide')

export default function GuidePage() {
  return <FirstPage book="guide" />
}
