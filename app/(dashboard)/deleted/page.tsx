import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { RecentlyDeleted } from './recently-deleted.tsx'

export const metadata: Metadata = { title: 'Recently deleted' }

export default function DeletedPage() {
  return (
    <Prefetch load={(load) => load('deletions.list', { page: 1 })}>
      <RecentlyDeleted />
    </Prefetch>
  )
}
