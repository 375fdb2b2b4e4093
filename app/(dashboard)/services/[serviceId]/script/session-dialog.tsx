'use client'

import { Alert, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SignInForm } from '../../../../(auth)/sign-in/sign-in-form.tsx'
import { mutation, query } from '../../../../client/api.ts'
import type { useMe } from '../../../../client/me.tsx'

/** Asks for a sign-in over the page, so that unsaved text stays where it is. Another account cannot go on with it. */
export function SessionDialog(props: { me: ReturnType<typeof useMe>; onDone: () => void; onClose: () => void }) {
  const { me } = props
  const client = useQueryClient()
  const [refusal, setRefusal] = useState<string | null>(null)
  const finish = async () => {
    try {
      // A sign-in starts in the organization that the member joined first.
      await mutation('auth.switchOrganization').mutationFn({ organizationId: me.organization.id })
      const now = await client.fetchQuery({ ...query('auth.me'), staleTime: 0 })
      if (now.user.id !== me.user.id) throw new Error('another account')
      await client.invalidateQueries()
      props.onDone()
    } catch {
      setRefusal(`Sign in as ${me.user.email}. The unsaved text belongs to this account.`)
    }
  }
  return (
    <Modal opened onClose={props.onClose} title="Your session has ended" centered>
      <Stack>
        <Text size="sm">Sign in again to continue. Your unsaved script is kept.</Text>
        {refusal && (
          <Alert color="red" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <SignInForm canUsePasskeys={me.canUsePasskeys} onDone={() => void finish()} />
      </Stack>
    </Modal>
  )
}
