'use client'

import { Button, Group, Modal, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { InvitationRequest } from '#server/schemas/organization/organizations.ts'
import { type Output, query } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { NO_PERMISSIONS } from '../../components/permissions/permissions.ts'

type CreatedInvitation = Output<'organization.members.invite'> & { email: string }

/** Invites someone by mail. If the installation sends no mail, shows the link for the member to pass on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  return (
    <Modal opened onClose={onClose} title={titleOf(created)} centered>
      {created ? (
        <Stack>
          {created.url === null ? (
            <Text size="sm">
              We have sent a mail with a link to <strong>{created.email}</strong>. The link works once, within seven
              days. If the mail is lost, invite them again.
            </Text>
          ) : (
            <>
              <Text size="sm">
                Send this link to the person whom you invited. It works once, and it is not shown again.
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
  return created.url === null ? 'Invitation sent' : 'Invitation created'
}

function InviteForm({ onDone, onClose }: { onDone: (created: CreatedInvitation) => void; onClose: () => void }) {
  const groups = useQuery(query('organization.groups.list', { pageSize: 100 }))
  const { form, ...operation } = useOperationForm({
    path: 'organization.members.invite',
    schema: InvitationRequest,
    initialValues: { email: '', groupIds: [] as string[], permissions: NO_PERMISSIONS },
    errorFields: { already_exists: { field: 'email', message: 'A member already has this address.' } },
    onDone: (invitation, { values }) => onDone({ ...invitation, email: values.email }),
  })
  return (
    <FormFrame {...operation} submitLabel="Invite" onCancel={onClose}>
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
        description="The new member gets the permissions of these groups."
        data={(groups.data?.items ?? []).map((group) => ({ value: group.id, label: group.name }))}
        {...form.getInputProps('groupIds')}
      />
      <PermissionInputs
        value={form.values.permissions}
        onChange={(permissions) => form.setFieldValue('permissions', permissions)}
      />
    </FormFrame>
  )
}
