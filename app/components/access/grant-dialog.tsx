'use client'

import { Checkbox, Radio, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { query } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { RadioGroup } from '../forms/radio-group.tsx'

const GrantForm = z.object({ principal: z.string().min(1, 'Select a member or a group') })

/** Grants a member or a group read or write access to a resource, with notifications or without. */
export function GrantDialog(props: { resourceType: ResourceType; resourceId: string; onClose: () => void }) {
  const members = useQuery(query('members.list', { pageSize: 100 }))
  const groups = useQuery(query('groups.list', { pageSize: 100 }))
  const { form, ...operation } = useOperationForm({
    path: 'access.set',
    schema: GrantForm,
    initialValues: { principal: '', permissions: '1', notify: true },
    toInput: ({ principal, permissions, notify }) => ({
      resourceType: props.resourceType,
      resourceId: props.resourceId,
      principalType: principal.startsWith('group ') ? 'group' : 'user',
      principalId: principal.slice(principal.indexOf(' ') + 1),
      permissions: permissions === '2' ? 2 : 1,
      notify,
    }),
    onDone: props.onClose,
  })
  const data = [
    {
      group: 'Groups',
      items: (groups.data?.items ?? []).map((group) => ({ value: `group ${group.id}`, label: group.name })),
    },
    {
      group: 'Members',
      items: (members.data?.items ?? []).map((member) => ({
        value: `user ${member.userId}`,
        label: `${member.displayName} (${member.email})`,
      })),
    },
  ]
  const refused = members.error ?? groups.error
  return (
    <FormDialog {...operation} title="Grant access" submitLabel="Grant access" onClose={props.onClose}>
      {refused && (
        <Text size="sm" c="dimmed">
          {problemOf(refused).code === 'insufficient_permissions'
            ? 'You need a permission to list the members and groups of the organization.'
            : problemOf(refused).message}
        </Text>
      )}
      <Select
        label="Member or group"
        data={data}
        searchable
        nothingFoundMessage="No member or group found"
        data-autofocus
        required
        {...form.getInputProps('principal')}
      />
      <RadioGroup label="Level" {...form.getInputProps('permissions')}>
        <Radio value="1" label="Read" description={`See the ${props.resourceType}, its results and metrics.`} />
        <Radio
          value="2"
          label="Write"
          description="Also change, run, switch and delete it, and grant access to others."
        />
      </RadioGroup>
      <Checkbox
        label="Notify them of failures?"
        description={`They get mails when a service fails. If not, they can still follow the ${props.resourceType} themselves.`}
        {...form.getInputProps('notify', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
