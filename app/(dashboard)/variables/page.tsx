import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { OrganizationVariables } from './organization-variables.tsx'

export const metadata: Metadata = { title: 'Variables' }

export default function OrganizationVariablesPage() {
  return (
    <Prefetch load={(load) => load('variables.organization.list', { page: 1, pageSize: 100 })}>
      <OrganizationVariables />
    </Prefetch>
  )
}
