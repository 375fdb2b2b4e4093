import { FirstPage, firstPageMetadata } from '../book/book-page.tsx'

export const metadata = firstPageMetadata('operate')

export default function OperatePage() {
  return <FirstPage book="operate" />
}
