import { Text } from '@mantine/core'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { RowLink } from '../layout/row-link.tsx'
import { TitleCell } from '../lists/title-cell.tsx'
import { placeKind } from '../pickers/place-kind.ts'

type Props = {
  place: { resourceType: ResourceType; resourceId: string | null; name: string | null; path: string | null }
}

/** The name of a place with a link, and where it is. */
export function PlaceTitle({ place }: Props) {
  const { resourceType, resourceId, name, path } = place
  if (resourceId === null || name === null) return <Text size="sm">A {resourceType} that you cannot see</Text>
  return (
    <TitleCell
      title={<RowLink href={`/${resourceType}s/${resourceId}`}>{name}</RowLink>}
      subtitle={placeKind(resourceType, path)}
    />
  )
}
