import type { Metadata } from 'next'
import { BodyStores } from './body-stores.tsx'

export const metadata: Metadata = { title: 'Body stores' }

export default function BodyStoresPage() {
  return <BodyStores />
}
