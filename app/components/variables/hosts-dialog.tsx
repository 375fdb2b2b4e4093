'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { z } from 'zod'
import type { Variable } from '#server/schemas/variables.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { HostsField, parseHosts } from './allowed-hosts.ts'
import { HostsInput } from './hosts-input.tsx'
import type { VariableOwner } from './scope.ts'

const Hosts = z.object({ allowedHosts: HostsField })

/** Where a secret may be sent to, and nothing of its value. */
export function HostsDialog(props: { owner: VariableOwner; variable: Variable; onClose: () => void }) {
  const { owner, variable, onClose } = props
  const { form, submit, isPending, error } = useOperationForm({
    path: 'variables.setAllowedHosts',
    schema: Hosts,
    initialValues: { allowedHosts: variable.allowedHosts.join('\n') },
    toInput: ({ allowedHosts }) => ({
      scope: owner.scope,
      resourceId: owner.id,
      id: variable.id,
      allowedHosts: parseHosts(allowedHosts),
    }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`Hosts of ${variable.key}`} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <HostsInput data-autofocus {...form.getInputProps('allowedHosts')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Save hosts
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
