import { Subpage, subpageMetadata } from '../../book/book-page.tsx'

type Props = { params: Promise<{ page: string }> }

export const generateMetadata = ({ params }: Props) => subpageMetadata({ book: 'operate', params })

export default function OperateSubpage({ params }: Props) {
  return <Subpage book="operate" params={params} />
}
