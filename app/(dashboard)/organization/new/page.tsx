import type { Metadata } from 'next'
import { NewOrganization } from './new-organization.tsx'

export const metadata: Metadata = { title: 'New organization' }

export default function NewOrganizationPage() {
  return <NewOrganization />
}
