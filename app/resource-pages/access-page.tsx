import { AccessView } from '../components/access/access-view.tsx'
import { Prefetch } from '../prefetch.tsx'
import type { Resource } from './resource.ts'

export function AccessPage(resource: Resource) {
  return (
    <Prefetch load={(load) => load('access.list', resource)}>
      <AccessView {...resource} />
    </Prefetch>
  )
}
