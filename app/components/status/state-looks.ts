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
export const STATE_LOOKS: Record<ServiceState, { color: string; icon: IconComponent }> = {
  failing: { color: 'red', icon: CircleX },
  degraded: { color: 'orange', icon: TriangleAlert },
  unknown: { color: 'gray', icon: CircleQuestionMark },
  passing: { color: 'teal', icon: CircleCheck },
  pending: { color: 'gray', icon: CircleDashed },
  paused: { color: 'gray', icon: CirclePause },
}
