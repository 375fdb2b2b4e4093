import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Domains } from './domains.tsx'

export const metadata: Metadata = { title: 'Domains' }

export default function DomainsPage() {
  return (
    <Prefetch load={(load) => load('organization.domains.list')}>
      <Domains />
    </Prefetch>
  )
}
