import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { OrganizationSettings } from './organization-settings.tsx'

export const metadata: Metadata = { title: 'Organization settings' }

export default function OrganizationSettingsPage() {
  return (
    <Prefetch load={(load) => load('organization.settings.get')}>
      <OrganizationSettings />
    </Prefetch>
  )
}
