import { Subpage, subpageMetadata } from '../../book/book-page.tsx'

type Props = { params: Promise<{ page: string }> }

export const generateMetadata = ({ params }: Props) => subpageMetadata({ book: 'guide', params })

export default function GuideSubpage({ params }: Props) {
  return <Subpage book="guide" params={params} />
}
