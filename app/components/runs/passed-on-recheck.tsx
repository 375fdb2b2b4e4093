import { Badge } from '@mantine/core'
import { Link } from '../layout/link.tsx'

/** Of a failed run that counts nowhere, because its recheck passed. It leads to the recheck. */
export function PassedOnRecheck({ serviceId, recheckId }: { serviceId: string; recheckId: string }) {
  return (
    <Badge
      component={Link}
      href={`/services/${serviceId}/results/${recheckId}`}
      variant="default"
      miw="max-content"
      style={{ cursor: 'pointer' }}
    >
      Passed on recheck
    </Badge>
  )
}
