'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { SectionCreateButton } from '../layout/create-button.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { PagedRows } from '../lists/paged-rows.tsx'
import { BindingRow } from './binding-row.tsx'
import { InheritedBindings } from './inherited-bindings.tsx'

const BindDialog = lazyDialog(async () => (await import('./bind-dialog.tsx')).BindDialog)

/** The bindings of webhooks to a resource. */
export function BindingsView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const me = useMe()
  const mayWrite = hasPermission(me, 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const [isBinding, setBinding] = useState(false)
  const bindings = useQuery({
    ...query('webhooks.bindings.list', { resourceType, resourceId, page }),
    enabled: hasPermission(me, 'webhooks', 'read'),
  })
  if (!hasPermission(me, 'webhooks', 'read')) {
    return (
      <Section title="Webhooks">
        <NoEntries>You need a permission to see the webhooks of the organization.</NoEntries>
      </Section>
    )
  }
  return (
    <Section
      title="Webhooks"
      intro={`Notified when ${resourceType === 'service' ? 'this service' : `a service in this ${resourceType}`} fails or recovers.`}
      actions={mayWrite && <SectionCreateButton onClick={() => setBinding(true)}>Bind a webhook</SectionCreateButton>}
    >
      <Loaded query={bindings} rows={1}>
        {(list) => (
          <>
            <PagedRows list={list} onPage={setPage} empty={emptyText(resourceType)}>
              {(binding) => (
                <BindingRow
                  key={binding.id}
                  binding={binding}
                  mayWrite={mayWrite}
                  labels={{ enabled: `${binding.webhookName} is on`, unbind: `Unbind ${binding.webhookName}` }}
                >
                  {binding.webhookName}
                </BindingRow>
              )}
            </PagedRows>
            <InheritedBindings resourceType={resourceType} resourceId={resourceId} />
          </>
        )}
      </Loaded>
      {isBinding && <BindDialog resource={{ resourceType, resourceId }} onClose={() => setBinding(false)} />}
    </Section>
  )
}

function emptyText(resourceType: ResourceType): string {
  return `No webhook is bound to this ${resourceType} itself.`
}
