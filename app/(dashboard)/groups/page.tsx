import type { Metadata } from 'next'
import { Groups } from './groups.tsx'

export const metadata: Metadata = { title: 'Groups' }

export default function GroupsPage() {
  return <Groups />
}
