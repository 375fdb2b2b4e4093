'use client'

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { InvitationRequest } from '#server/schemas/organization/organizations.ts'
import type { Output } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { NO_PERMISSIONS, type Permissions } from '../../components/permissions/permissions.ts'
import type { Found } from '../../components/pickers/search-select.tsx'
import { InvitedGroups } from './invited-groups.tsx'
import { type InvitedPlace, InvitedPlaces } from './invited-places.tsx'
import { ROLES } from './roles.ts'

type CreatedInvitation = Output<'organization.members.invite'> & { email: string }

/** Invites someone by mail, with groups and places. If the installation sends no mail, shows the link for the member to pass on. */
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

type Values = {
  email: string
  groups: Found[]
  places: InvitedPlace[]
  permissions: Permissions
}

const InviteValues = InvitationRequest.pick({ email: true })

function InviteForm({ onDone, onClose }: { onDone: (created: CreatedInvitation) => void; onClose: () => void }) {
  const { mayGrant } = useMe()
  const [showsPermissions, setShowsPermissions] = useState(false)
  const { form, ...operation } = useOperationForm({
    path: 'organization.members.invite',
    schema: InviteValues,
    initialValues: { email: '', groups: [], places: [], permissions: NO_PERMISSIONS } as Values,
    toInput: ({ email, groups, places, permissions }) => ({
      email,
      permissions,
      groupIds: groups.map(({ value }) => value),
      places: places.map(({ resourceType, resourceId, role }) => ({ resourceType, resourceId, ...ROLES[role].grant })),
    }),
    errorFields: { already_exists: { field: 'email', message: 'A member already has this address.' } },
    onDone: (invitation, { values }) => onDone({ ...invitation, email: values.email }),
  })
  const { groups, places } = form.values
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
      {mayGrant && <InvitedPlaces value={places} onChange={(next) => form.setFieldValue('places', next)} />}
      <InvitedGroups value={groups} onChange={(next) => form.setFieldValue('groups', next)} />
      {showsPermissions ? (
        <PermissionInputs
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        />
      ) : (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={() => setShowsPermissions(true)}>
            Permissions on the organization…
          </Button>
        </Group>
      )}
    </FormFrame>
  )
}
