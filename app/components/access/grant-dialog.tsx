'use client'

import { Checkbox, Radio } from '@mantine/core'
import { z } from 'zod'
import type { ResourceRef } from '#server/schemas/scopes.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { RadioGroup } from '../forms/radio-group.tsx'
import { useFoundHolders, useWritablePlaces } from '../pickers/finders.ts'
import { placeOf } from '../pickers/place.ts'
import { type Found, SearchSelect } from '../pickers/search-select.tsx'

export type Holder = { principalType: 'user' | 'group'; principalId: string; name: string }

type Values = { picked: Found | null; permissions: string; notify: boolean }

const GrantForm = z.object({ picked: z.object({ value: z.string() }, 'Select one') })

/** Grants read or write access: on `resource` to whom the member picks, or to `holder` on what they pick. */
export function GrantDialog(props: { onClose: () => void } & ({ resource: ResourceRef } | { holder: Holder })) {
  const { form, ...operation } = useOperationForm({
    path: 'access.set',
    schema: GrantForm,
    initialValues: { picked: null, permissions: '1', notify: true } as Values,
    toInput: ({ picked, permissions, notify }) => ({
      ...grantOf(props, picked as Found),
      permissions: permissions === '2' ? 2 : 1,
      notify,
    }),
    onDone: props.onClose,
  })
  const { picked } = form.values
  const inputs = form.getInputProps('picked')
  const what = 'resource' in props ? props.resource.resourceType : 'place'
  return (
    <FormDialog {...operation} title="Grant access" submitLabel="Grant access" onClose={props.onClose}>
      <SearchSelect
        label={'resource' in props ? 'Member or group' : 'Workspace, project or service'}
        placeholder="Search by name"
        useFound={'resource' in props ? useFoundHolders : useWritablePlaces}
        data-autofocus
        required
        error={inputs.error}
        value={picked}
        onChange={inputs.onChange}
      />
      <RadioGroup label="Level" {...form.getInputProps('permissions')}>
        <Radio value="1" label="Read" description={`See the ${what}, its results and metrics.`} />
        <Radio
          value="2"
          label="Write"
          description="Also change, run, switch and delete it, and grant access to others."
        />
      </RadioGroup>
      <Checkbox
        label="Notify them of failures?"
        description={`They get mails when a service fails. If not, they can still follow the ${what} themselves.`}
        {...form.getInputProps('notify', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

function grantOf(props: { resource: ResourceRef } | { holder: Holder }, picked: Found) {
  if ('holder' in props) {
    const { principalType, principalId } = props.holder
    const { resourceType, resourceId } = placeOf<ResourceRef['resourceType']>(picked)
    return { resourceType, resourceId, principalType, principalId }
  }
  const [principalType, principalId] = picked.value.split(' ') as ['user' | 'group', string]
  return { ...props.resource, principalType, principalId }
}
