'use client'

import { Button, Menu, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Check, ChevronDown, KeyRound, LogOut, Plus, UserRound } from 'lucide-react'
import { mutation } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { Link } from '../layout/link.tsx'

/** The signed-in member, the organizations to switch to, and signing out. */
export function UserMenu() {
  const me = useMe()
  const signOut = useMutation({ ...mutation('auth.signOut'), onSuccess: () => window.location.assign('/sign-in') })
  const switchTo = useMutation({
    ...mutation('auth.switchOrganization'),
    onSuccess: () => window.location.assign('/workspaces'),
  })
  return (
    <Menu position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          rightSection={<ChevronDown size={14} aria-hidden />}
          aria-label={`${me.organization.name}, account menu of ${me.user.displayName}`}
        >
          <Text size="sm" fw={500} truncate maw={{ base: 110, sm: 220 }}>
            {me.organization.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.user.displayName}
          </Text>
          <Text size="xs" truncate>
            {me.user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} href="/account" leftSection={<UserRound size={15} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Item component={Link} href="/account/keys" leftSection={<KeyRound size={15} aria-hidden />}>
          API keys
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Organizations</Menu.Label>
        {me.organizations.map((organization) => {
          const isCurrent = organization.id === me.organization.id
          return (
            <Menu.Item
              key={organization.id}
              onClick={() => !isCurrent && switchTo.mutate({ organizationId: organization.id })}
              rightSection={isCurrent ? <Check size={15} aria-label="current" /> : null}
            >
              {organization.name}
            </Menu.Item>
          )
        })}
        <Menu.Item component={Link} href="/organization/new" leftSection={<Plus size={15} aria-hidden />}>
          New organization
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<LogOut size={15} aria-hidden />}
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
