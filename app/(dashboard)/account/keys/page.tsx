import type { Metadata } from 'next'
import { KeyList } from './key-list.tsx'

export const metadata: Metadata = { title: 'API keys' }

export default function KeysPage() {
  return <KeyList />
}
