import { Anchor } from '@mantine/core'
import type { PlacedBinding } from '#server/schemas/webhooks.ts'
import { Link } from '../layout/link.tsx'

type Props = {
  binding: Pick<PlacedBinding, 'resourceType' | 'resourceId' | 'resourceName'>
  /** At the start of a line. */
  isFirst?: boolean
}

/** What a binding belongs to, in words, with a link to the bindings of a resource. */
export function BoundTo({ binding: { resourceType, resourceId, resourceName }, isFirst = false }: Props) {
  const the = isFirst ? 'The' : 'the'
  if (resourceType === 'organization')
    return (
      <>
        {the} whole organization {resourceName}
      </>
    )
  if (resourceId === null)
    return (
      <>
        {isFirst ? 'A' : 'a'} {resourceType} that you cannot see
      </>
    )
  return (
    <>
      {the} {resourceType}{' '}
      <Anchor component={Link} href={`/${resourceType}s/${resourceId}/webhooks`} inherit underline="always">
        {resourceName}
      </Anchor>
    </>
  )
}
