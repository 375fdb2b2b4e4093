import { ResourceVariables } from '../components/variables/resource-variables.tsx'
import { Prefetch } from '../prefetch.tsx'
import type { Resource } from './resource.ts'

export function VariablesPage({ resourceType, resourceId: id }: Resource) {
  return (
    <Prefetch load={(load) => load(`variables.${resourceType}.hierarchy`, { id })}>
      <ResourceVariables scope={resourceType} id={id} />
    </Prefetch>
  )
}
