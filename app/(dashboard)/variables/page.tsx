import type { Metadata } from 'next'
import { OrganizationVariables } from './organization-variables.tsx'

export const metadata: Metadata = { title: 'Variables' }

export default function OrganizationVariablesPage() {
  return <OrganizationVariables />
}
