import type { ServiceState } from '#server/schemas/status/states.ts'
import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  CircleX,
  type IconComponent,
  TriangleAlert,
} from '../icons.ts'

/** How states look. Each has its own shape, so that none depends on its color alone. */
export const STATE_LOOKS: Record<ServiceState, { color: string; label: string; icon: IconComponent }> = {
  failing: { color: 'red', label: 'Failing', icon: CircleX },
  degraded: { color: 'orange', label: 'Degraded', icon: TriangleAlert },
  unknown: { color: 'gray', label: 'Unknown', icon: CircleQuestionMark },
  passing: { color: 'teal', label: 'Passing', icon: CircleCheck },
  pending: { color: 'gray', label: 'No runs yet', icon: CircleDashed },
  paused: { color: 'gray', label: 'Paused', icon: CirclePause },
}
