'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { BoundTo } from '../../../components/bindings/bound-to.tsx'
import { ScopePicker } from '../../../components/bindings/scope-picker.tsx'
import { Switch } from '../../../components/inputs/switch.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { AlertsNobody } from '../alerts-nobody.tsx'

/** What a webhook is bound to. Members with write permission pause, remove and add bindings. */
export function BindingsSection({ webhookId, mayWrite }: { webhookId: string; mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const bindings = useQuery(query('webhooks.bindings.ofWebhook', { webhookId, page }))
  const bind = useMutation(mutation('webhooks.bindings.create'))
  const update = useMutation(mutation('webhooks.bindings.update'))
  const remove = useMutation(mutation('webhooks.bindings.remove'))
  return (
    <Section title="Bindings" intro="It is notified of failures in everything that it is bound to.">
      <ProblemAlert error={bind.error ?? update.error ?? remove.error} />
      <Loaded query={bindings} rows={1}>
        {(list) =>
          list.total === 0 ? (
            <AlertsNobody />
          ) : (
            <PagedRows list={list} onPage={setPage} empty="">
              {(binding) => {
                const name = binding.resourceName ?? `a ${binding.resourceType}`
                return (
                  <Table.Tr key={binding.id}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      <BoundTo binding={binding} isFirst />
                    </Table.Td>
                    <Table.Td w={110} px={{ base: 4, sm: 'xs' }}>
                      <Switch
                        label={binding.enabled ? 'On' : 'Paused'}
                        aria-label={`Notified of ${name}`}
                        checked={binding.enabled}
                        disabled={!mayWrite}
                        onChange={(event) => update.mutate({ id: binding.id, enabled: event.currentTarget.checked })}
                      />
                    </Table.Td>
                    <Table.Td w={90} px={{ base: 0, sm: 'xs' }} ta="right">
                      {mayWrite && (
                        <RowButton
                          color="red"
                          label={`Unbind from ${name}`}
                          onClick={() => remove.mutate({ id: binding.id })}
                        >
                          Unbind
                        </RowButton>
                      )}
                    </Table.Td>
                  </Table.Tr>
                )
              }}
            </PagedRows>
          )
        }
      </Loaded>
      {mayWrite && (
        <ScopePicker
          buttonLabel="Bind"
          isPending={bind.isPending}
          onPick={({ resourceType, resourceId }) => bind.mutate({ resourceType, resourceId, webhookId })}
        />
      )}
    </Section>
  )
}
