'use client'

import { Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { query } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../problem-alert.tsx'

const Chosen = z.object({ principal: z.string().min(1, 'Choose a member or a group') })

/** Gives a member or a group a level on a resource. */
export function GrantDialog(props: { resourceType: ResourceType; resourceId: string; onClose: () => void }) {
  const members = useQuery(query('members.list', { pageSize: 100 }))
  const groups = useQuery(query('groups.list', { pageSize: 100 }))
  const { form, submit, isPending, error } = useOperationForm({
    path: 'access.set',
    schema: Chosen,
    initialValues: { principal: '', permissions: '1' },
    toInput: ({ principal, permissions }) => ({
      resourceType: props.resourceType,
      resourceId: props.resourceId,
      principalType: principal.startsWith('group ') ? 'group' : 'user',
      principalId: principal.slice(principal.indexOf(' ') + 1),
      permissions: permissions === '2' ? 2 : 1,
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
    <Modal opened onClose={props.onClose} title="Grant access" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          {refused && (
            <Text size="sm" c="dimmed">
              {problemOf(refused).code === 'insufficient_permissions'
                ? 'You may not see the members of the organization, so there is nobody to choose from.'
                : problemOf(refused).message}
            </Text>
          )}
          <Select
            label="Member or group"
            data={data}
            searchable
            nothingFoundMessage="Nobody by that name"
            data-autofocus
            required
            {...form.getInputProps('principal')}
          />
          <Radio.Group label="Level" {...form.getInputProps('permissions')}>
            <Stack gap={6} mt={6}>
              <Radio
                value="1"
                label="Read"
                description="See it, its results and metrics, and be told of its failures."
              />
              <Radio
                value="2"
                label="Write"
                description="Change, run, switch and delete it, and grant access to others."
              />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Grant access
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
