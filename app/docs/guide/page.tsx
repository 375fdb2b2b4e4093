import type { Metadata } from 'next'
import { Guide } from './guide.tsx'

export const metadata: Metadata = { title: 'API guide' }

export default function GuidePage() {
  return <Guide />
}
