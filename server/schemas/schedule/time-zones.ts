import { z } from 'zod'
import { isTimezone } from '../../schedule/time-zones.ts'

/** The time zone in which the dashboard shows times. */
export const Timezone = z.string().max(64).refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')
