import type { Scope } from '#server/schemas/scopes.ts'
import { ResourceVariables } from '../components/variables/resource-variables.tsx'
import { loadVariableValues } from '../load-variable-values.ts'
import { type Load, Prefetch } from '../prefetch.tsx'
import type { Resource } from './resource.ts'

export function VariablesPage({ resourceType, resourceId: id }: Resource) {
  return (
    <Prefetch load={(load) => loadVariables(load, { resourceType, resourceId: id })}>
      <ResourceVariables scope={resourceType} id={id} />
    </Prefetch>
  )
}

async function loadVariables(load: Load, { resourceType, resourceId: id }: Resource) {
  const hierarchy = await load(`variables.${resourceType}.hierarchy`, { id })
  const editable = (hierarchy?.scopes ?? []).filter((entry) => entry.editable)
  await Promise.all(
    editable.map((entry) => loadVariableValues(load, entry.scope as Scope, entry.resourceId, entry.variables)),
  )
}
