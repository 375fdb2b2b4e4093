import { BindingsView } from '../components/bindings/bindings-view.tsx'
import { Prefetch } from '../prefetch.tsx'
import type { Resource } from './resource.ts'

export function BindingsPage(resource: Resource) {
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          load('webhooks.bindings.list', { ...resource, page: 1 }),
          load('webhooks.bindings.inherited', { ...resource, page: 1 }),
        ])
      }
    >
      <BindingsView {...resource} />
    </Prefetch>
  )
}
