import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { System } from './system.tsx'

export const metadata: Metadata = { title: 'System' }

export default function SystemPage() {
  return (
    <Prefetch load={(load) => load('system.overview')}>
      <System />
    </Prefetch>
  )
}
