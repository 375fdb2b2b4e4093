'use client'

import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { BindingRow } from '../../../components/bindings/binding-row.tsx'
import { BoundTo } from '../../../components/bindings/bound-to.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { useBindablePlaces } from '../../../components/pickers/finders.ts'
import { placeOf } from '../../../components/pickers/place.ts'
import { type Found, SearchSelect } from '../../../components/pickers/search-select.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
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
      {mayWrite && <BindForm webhookId={webhookId} />}
    </Section>
  )
}

function BindForm({ webhookId }: { webhookId: string }) {
  const [place, setPlace] = useState<Found | null>(null)
  const bind = useMutation({ ...mutation('webhooks.bindings.create'), onSuccess: () => setPlace(null) })
  const submit = (found: Found) => {
    const { resourceType, resourceId } = placeOf(found)
    bind.mutate({ resourceType, resourceId, webhookId })
  }
  return (
    <>
      <ProblemAlert error={bind.error} />
      <Group align="flex-end">
        <SearchSelect
          label="Bind it to"
          placeholder="Search by name"
          useFound={useBindablePlaces}
          value={place}
          onChange={setPlace}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={place === null}
          loading={bind.isPending}
          onClick={() => place && submit(place)}
        >
          Bind
        </Button>
      </Group>
    </>
  )
}
