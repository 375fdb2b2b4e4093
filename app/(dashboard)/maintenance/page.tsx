import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Maintenances } from './maintenances.tsx'

export const metadata: Metadata = { title: 'Maintenance' }

export default function MaintenancePage() {
  return (
    <Prefetch load={(load) => Promise.all([load('maintenances.list', { page: 1 }), load('maintenances.windows')])}>
      <Maintenances />
    </Prefetch>
  )
}
