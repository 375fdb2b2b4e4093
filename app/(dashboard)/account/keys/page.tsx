import type { Metadata } from 'next'
import { Prefetch } from '../../../prefetch.tsx'
import { KeyList } from './key-list.tsx'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return (
    <Prefetch load={(load) => load('account.keys.list')}>
      <KeyList />
    </Prefetch>
  )
}
