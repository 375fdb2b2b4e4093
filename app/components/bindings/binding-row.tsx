import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mutation } from '../../client/api.ts'
import { Switch } from '../inputs/switch.tsx'
import { RowButton } from '../lists/row-button.tsx'
import { Table } from '../lists/table.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** A binding in the list of a webhook or of a resource: it is paused, resumed and removed here. */
export function BindingRow(props: {
  binding: { id: string; enabled: boolean }
  mayWrite: boolean
  /** What the controls are about. */
  labels: { enabled: string; unbind: string }
  children: ReactNode
}) {
  const { binding, mayWrite, labels } = props
  const update = useMutation(mutation('webhooks.bindings.update'))
  const remove = useMutation(mutation('webhooks.bindings.remove'))
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {props.children}
        <ProblemAlert error={update.error ?? remove.error} />
      </Table.Td>
      <Table.Td w={110} px={{ base: 4, sm: 'xs' }}>
        <Switch
          label={binding.enabled ? 'On' : 'Paused'}
          aria-label={labels.enabled}
          checked={binding.enabled}
          disabled={!mayWrite}
          onChange={(event) => update.mutate({ id: binding.id, enabled: event.currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td w={90} px={{ base: 0, sm: 'xs' }} ta="right">
        {mayWrite && (
          <RowButton color="red" label={labels.unbind} onClick={() => remove.mutate({ id: binding.id })}>
            Unbind
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
