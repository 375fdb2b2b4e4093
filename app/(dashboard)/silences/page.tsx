import type { Metadata } from 'next'
import { Silences } from './silences.tsx'

export const metadata: Metadata = { title: 'My silences' }

export default function SilencesPage() {
  return <Silences />
}
