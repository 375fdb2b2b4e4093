'use client'

import { Anchor, Text } from '@mantine/core'
import { CreateLink } from '../../../components/layout/create-button.tsx'
import { Link } from '../../../components/layout/link.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { isFiltered, type ListAddress, searchWith, unfiltered } from '../../../components/service-list/list-address.ts'
import { Activity } from '../../icons.ts'

/** In place of the list: nothing matches, or the project is empty. */
export function NoServices(props: { projectId: string; address: ListAddress; mayWrite: boolean }) {
  const { projectId, address } = props
  if (isFiltered(address)) {
    const href = `/projects/${projectId}${searchWith(unfiltered(address), {})}`
    return (
      <Text c="dimmed" py="md">
        No service matches.{' '}
        <Anchor component={Link} href={href} inherit underline="always">
          Show all services
        </Anchor>
      </Text>
    )
  }
  return (
    <Empty
      icon={Activity}
      title="No services yet"
      description="A service checks a URL or runs a script on a schedule, and alerts you when it fails."
      action={props.mayWrite && <CreateLink href={`/services/new?project=${projectId}`}>New service</CreateLink>}
    />
  )
}
