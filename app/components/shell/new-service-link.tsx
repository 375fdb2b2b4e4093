'use client'

import { Button } from '@mantine/core'
import { usePathname } from 'next/navigation'
import { useMe } from '../../client/me.tsx'
import { Plus } from '../icons.ts'
import { Link } from '../layout/link.tsx'

/** Leads from every page to a new service: of the project that is open, if one is. */
export function NewServiceLink() {
  const { mayCreateServices } = useMe()
  const [, project] = /^\/projects\/([^/]+)/.exec(usePathname()) ?? []
  if (!mayCreateServices) return null
  return (
    <Button
      component={Link}
      href={project ? `/services/new?project=${project}` : '/services/new'}
      variant="default"
      fullWidth
      mb="md"
      leftSection={<Plus size={16} aria-hidden />}
    >
      New service
    </Button>
  )
}
