'use client'

import { Button, Group } from '@mantine/core'
import { CreateLink } from '../../components/layout/create-button.tsx'
import { Link } from '../../components/layout/link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { NoAccess } from '../../components/lists/no-access.tsx'
import { Activity } from '../icons.ts'

/** In place of the list of a member who sees no service. */
export function NoServices({ mayCreateServices }: { mayCreateServices: boolean }) {
  if (!mayCreateServices) return <NoAccess title="You see no services yet" />
  return (
    <Empty
      icon={Activity}
      title="No services yet"
      description="A service checks a URL or runs a script on a schedule, and alerts you when it fails."
      action={
        <Group gap="sm" justify="center">
          <CreateLink href="/services/new">New service</CreateLink>
          <Button component={Link} href="/workspaces" variant="default">
            Workspaces
          </Button>
        </Group>
      }
    />
  )
}
