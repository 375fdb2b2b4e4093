import { Subpage, subpageMetadata } from '../../book/book-page.tsx'

type Props = { params: Promise<{ page: string }> }

export const generateMetadata = ({ params }: Props) => subpageMetadata({ book: 'language', params })

export default function LanguageSubpage({ params }: Props) {
  return <Subpage book="language" params={params} />
}
