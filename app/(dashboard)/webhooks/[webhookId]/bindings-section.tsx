'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../client/api.ts'
import { BindingRow } from '../../../components/bindings/binding-row.tsx'
import { BoundTo } from '../../../components/bindings/bound-to.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { useBindablePlaces } from '../../../components/pickers/finders.ts'
import { PickForm } from '../../../components/pickers/pick-form.tsx'
import { placeOf } from '../../../components/pickers/place.ts'
import { AlertsNobody } from '../alerts-nobody.tsx'

/** What a webhook is bound to. Members with write permission pause, remove and add bindings. */
export function BindingsSection({ webhookId, mayWrite }: { webhookId: string; mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const bindings = useQuery(query('webhooks.bindings.ofWebhook', { webhookId, page }))
  return (
    <Section title="Bindings" intro="It is notified of failures in everything that it is bound to.">
      <Loaded query={bindings} rows={1}>
        {(list) =>
          list.total === 0 ? (
            <AlertsNobody />
          ) : (
            <PagedRows list={list} onPage={setPage} empty="">
              {(binding) => {
                const name = binding.resourceName ?? `a ${binding.resourceType}`
                return (
                  <BindingRow
                    key={binding.id}
                    binding={binding}
                    mayWrite={mayWrite}
                    labels={{ enabled: `Notified of ${name}`, unbind: `Unbind from ${name}` }}
                  >
                    <BoundTo binding={binding} isFirst />
                  </BindingRow>
                )
              }}
            </PagedRows>
          )
        }
      </Loaded>
      {mayWrite && (
        <PickForm
          label="Bind it to"
          submitLabel="Bind"
          useFound={useBindablePlaces}
          path="webhooks.bindings.create"
          inputOf={(found) => {
            const { resourceType, resourceId } = placeOf(found)
            return { resourceType, resourceId, webhookId }
          }}
        />
      )}
    </Section>
  )
}
