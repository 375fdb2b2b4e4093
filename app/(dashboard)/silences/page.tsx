import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Silences } from './silences.tsx'

export const metadata: Metadata = { title: 'My silences' }

export default function SilencesPage() {
  return (
    <Prefetch
      load={(load) =>
        Promise.all([load('silences.list', { page: 1 }), load('follows.list', { page: 1, pageSize: 20 })])
      }
    >
      <Silences />
    </Prefetch>
  )
}
