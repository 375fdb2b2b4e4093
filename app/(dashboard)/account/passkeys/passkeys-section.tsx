'use client'

import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#server/schemas/account/passkeys.ts'
import { query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { useMe } from '../../../client/me.tsx'
import { NameDialog } from '../../../components/forms/name-dialog.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { RecoveryCodes } from '../recovery-codes.tsx'

const AddPasskeyDialog = lazyDialog(async () => (await import('./add-passkey-dialog.tsx')).AddPasskeyDialog)
const RemovePasskeyDialog = lazyDialog(async () => (await import('./remove-passkey-dialog.tsx')).RemovePasskeyDialog)
const ReauthenticationDialog = lazyDialog(
  async () => (await import('../reauthentication-dialog.tsx')).ReauthenticationDialog,
)

type Open = { dialog: 'add' | 'renew' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

/** The member's passkeys: adding, renaming and removing them. */
export function PasskeysSection() {
  const { user, canUsePasskeys } = useMe()
  const passkeys = useQuery(query('account.passkeys.list'))
  const [codes, setCodes] = useState<string[] | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <Section
      title="Passkeys"
      intro="Sign in by fingerprint, face, PIN or security key: without your password, or after it."
      actions={
        canUsePasskeys && (
          <Button variant="default" onClick={() => setOpen({ dialog: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {!canUsePasskeys && (
        <Text size="sm">
          Browsers allow passkeys only at an https address with a name, and at localhost. This dashboard is at another
          one.
        </Text>
      )}
      <Loaded query={passkeys}>
        {(list) => (
          <Stack gap="sm">
            {list.length === 0 && canUsePasskeys && (
              <Text size="sm" c="dimmed">
                You have no passkey yet.
              </Text>
            )}
            {list.map((passkey) => (
              <Row key={passkey.id} passkey={passkey} onOpen={(dialog) => setOpen({ dialog, passkey })} />
            ))}
          </Stack>
        )}
      </Loaded>
      {user.hasPasskey && !user.hasTotp && (
        <Group>
          <Button variant="default" onClick={() => setOpen({ dialog: 'renew' })}>
            New recovery codes
          </Button>
        </Group>
      )}
      {open?.dialog === 'add' && (
        <AddPasskeyDialog
          onClose={close}
          onDone={(recoveryCodes) => {
            close()
            setCodes(recoveryCodes)
          }}
        />
      )}
      {open?.dialog === 'rename' && (
        <NameDialog
          path="account.passkeys.rename"
          title="Rename passkey"
          submitLabel="Rename"
          initialName={open.passkey.name}
          toInput={(name) => ({ id: open.passkey.id, name })}
          onClose={close}
          onDone={close}
        />
      )}
      {open?.dialog === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.dialog === 'renew' && (
        <ReauthenticationDialog
          path="account.totp.renewCodes"
          title="New recovery codes"
          explanation="The recovery codes that you have now stop working."
          submitLabel="Create new codes"
          onClose={close}
          onDone={(output) => {
            close()
            setCodes(output.recoveryCodes)
          }}
        />
      )}
    </Section>
  )
}

function Row({ passkey, onOpen }: { passkey: Passkey; onOpen: (dialog: 'rename' | 'remove') => void }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {passkey.name}
        </Text>
        <Text size="xs" c="dimmed">
          Created <Instant at={passkey.createdAt} /> ·{' '}
          {passkey.lastUsedAt ? (
            <>
              last used <Instant at={passkey.lastUsedAt} />
            </>
          ) : (
            'not used yet'
          )}
        </Text>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <RowButton label={`Rename ${passkey.name}`} onClick={() => onOpen('rename')}>
          Rename
        </RowButton>
        <RowButton color="red" label={`Remove ${passkey.name}`} onClick={() => onOpen('remove')}>
          Remove
        </RowButton>
      </Group>
    </Group>
  )
}
