import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { BodyStores } from './body-stores.tsx'

export const metadata: Metadata = { title: 'Body stores' }

export default function BodyStoresPage() {
  return (
    <Prefetch load={(load) => load('organization.bodyStores.list')}>
      <BodyStores />
    </Prefetch>
  )
}
