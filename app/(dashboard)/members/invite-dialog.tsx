'use client'

import { Button, Group, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { InvitationRequest } from '#server/schemas/organization/organizations.ts'
import { type Output, query } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { NO_PERMISSIONS, PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

type CreatedInvitation = Output<'organization.members.invite'> & { email: string }

/** Invites by mail where mail is set up; elsewhere the link is passed on by hand. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  return (
    <Modal opened onClose={onClose} title={titleOf(created)} centered>
      {created ? (
        <Stack>
          {created.url === null ? (
            <Text size="sm">
              A mail with a link is on its way to <strong>{created.email}</strong>. The link works once, within seven
              days. If it gets lost, invite them again.
            </Text>
          ) : (
            <>
              <Text size="sm">
                Send this link to the person you invited. It lets them in once, and is not shown again.
              </Text>
              <CopyText text={created.url} label="Invitation link" />
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <InviteForm onDone={setCreated} onClose={onClose} />
      )}
    </Modal>
  )
}

function titleOf(created: CreatedInvitation | null): string {
  if (!created) return 'Invite a member'
  return created.url === null ? 'The invitation is sent' : 'The invitation is ready'
}

function InviteForm({ onDone, onClose }: { onDone: (created: CreatedInvitation) => void; onClose: () => void }) {
  const groups = useQuery(query('organization.groups.list', { pageSize: 100 }))
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.members.invite',
    schema: InvitationRequest,
    initialValues: { email: '', groupIds: [] as string[], permissions: NO_PERMISSIONS },
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('email', 'A member has this address.')
      return true
    },
    onDone: (invitation, { values }) => onDone({ ...invitation, email: values.email }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          data-autofocus
          required
          {...form.getInputProps('email')}
        />
        <MultiSelect
          label="Groups"
          description="What a group may do, its members may do."
          data={(groups.data?.items ?? []).map((group) => ({ value: group.id, label: group.name }))}
          {...form.getInputProps('groupIds')}
        />
        <PermissionInputs
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
