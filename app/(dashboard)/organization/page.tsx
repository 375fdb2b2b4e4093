import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { OrganizationSettings } from './organization-settings.tsx'

export const metadata: Metadata = { title: 'Organization settings' }

export default function OrganizationSettingsPage() {
  return (
    <Prefetch
      load={(load) => Promise.all([load('organization.settings.get'), load('members.list', { pageSize: 100 })])}
    >
      <OrganizationSettings />
    </Prefetch>
  )
}
