import { Badge } from '@mantine/core'
import type { ServiceMaintenance } from '#server/schemas/maintenances/maintenances.ts'
import { Wrench } from '../icons.ts'

/** Marks a service for which a maintenance holds, in lists. */
export function MaintenanceBadge({ maintenance }: { maintenance: ServiceMaintenance | null }) {
  return maintenance ? (
    <Badge
      size="sm"
      color="blue"
      variant="light"
      tt="none"
      miw="max-content"
      leftSection={<Wrench size={12} aria-hidden />}
      title={maintenance.note ?? undefined}
    >
      Maintenance
    </Badge>
  ) : null
}
