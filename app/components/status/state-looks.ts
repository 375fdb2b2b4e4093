import { CircleCheck, CircleDashed, CirclePause, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ServiceState } from '#server/schemas/status/states.ts'

/** How states look. Each has its own shape, so that none depends on its color alone. */
export const STATE_LOOKS: Record<ServiceState, { color: string; label: string; icon: LucideIcon }> = {
  failing: { color: 'red', label: 'Failing', icon: CircleX },
  degraded: { color: 'orange', label: 'Degraded', icon: TriangleAlert },
  passing: { color: 'teal', label: 'Passing', icon: CircleCheck },
  pending: { color: 'gray', label: 'No runs yet', icon: CircleDashed },
  paused: { color: 'gray', label: 'Paused', icon: CirclePause },
}
