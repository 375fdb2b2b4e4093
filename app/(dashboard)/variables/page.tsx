import type { Metadata } from 'next'
import { findCurrentMember } from '../../current-member.ts'
import { loadVariableValues } from '../../load-variable-values.ts'
import { type Load, Prefetch } from '../../prefetch.tsx'
import { OrganizationVariables } from './organization-variables.tsx'

export const metadata: Metadata = { title: 'Variables' }

export default function OrganizationVariablesPage() {
  return (
    <Prefetch load={loadVariables}>
      <OrganizationVariables />
    </Prefetch>
  )
}

async function loadVariables(load: Load) {
  const [me, list] = await Promise.all([
    findCurrentMember(),
    load('variables.organization.list', { page: 1, pageSize: 100 }),
  ])
  if (me && list && me.sections.settings === 'write')
    await loadVariableValues(load, 'organization', me.organization.id, list.items)
}
