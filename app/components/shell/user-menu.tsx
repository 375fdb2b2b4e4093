'use client'

import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useSignOut } from '../commands/use-sign-out.ts'
import { Check, ChevronDown, KeyRound, LogOut, Plus, UserRound } from '../icons.ts'
import { ActionMenu } from '../menus/action-menu.tsx'
import type { MenuEntry } from '../menus/menu-entry.ts'

/** The signed-in member, the organizations to switch to, and signing out. */
export function UserMenu() {
  const me = useMe()
  const signOut = useSignOut()
  const switchTo = useMutation({
    ...mutation('auth.switchOrganization'),
    onSuccess: () => window.location.assign('/'),
  })
  const entries: MenuEntry[] = [
    {
      heading: (
        <>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.user.displayName}
          </Text>
          <Text size="xs" truncate>
            {me.user.email}
          </Text>
        </>
      ),
    },
    { label: 'Account', icon: <UserRound size={15} aria-hidden />, href: '/account' },
    { label: 'API keys', icon: <KeyRound size={15} aria-hidden />, href: '/account/keys' },
    'divider',
    { heading: 'Organizations' },
    ...me.organizations.map(({ id, name }) => ({
      label: name,
      end: id === me.organization.id ? <Check size={15} aria-label="current" /> : null,
      onSelect: () => id !== me.organization.id && switchTo.mutate({ organizationId: id }),
    })),
    { label: 'New organization', icon: <Plus size={15} aria-hidden />, href: '/organization/new' },
    'divider',
    {
      label: 'Sign out',
      icon: <LogOut size={15} aria-hidden />,
      color: 'red',
      disabled: signOut.isPending,
      onSelect: () => signOut.mutate(),
    },
  ]
  return (
    <ActionMenu entries={entries} width={260}>
      {(target) => (
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          rightSection={<ChevronDown size={14} aria-hidden />}
          aria-label={`${me.organization.name}, account menu of ${me.user.displayName}`}
          {...target}
        >
          <Text size="sm" fw={600} truncate maw={{ base: 110, sm: 220 }}>
            {me.organization.name}
          </Text>
        </Button>
      )}
    </ActionMenu>
  )
}
