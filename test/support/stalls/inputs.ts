import type { HostileInput } from './hostile-input.ts'
import { BODY_INPUTS } from './inputs/bodies.ts'
import { FRONT_INPUTS } from './inputs/front.ts'
import { READ_INPUTS } from './inputs/reads.ts'
import { RECURRENCE_INPUTS } from './inputs/recurrence.ts'
import { SCRIPT_INPUTS } from './inputs/scripts.ts'

// All inputs that once blocked a process, with variations: no input may block an event loop longer than 25 ms, or make a
// process exceed its memory. To add one, add a row to a file in `inputs/`. A few members of each row run in
// test/end-to-end/stalls.test.ts, all in `npm run bench -- stalls`.

export const HOSTILE_INPUTS: HostileInput[] = [
  ...RECURRENCE_INPUTS,
  ...BODY_INPUTS,
  ...FRONT_INPUTS,
  ...READ_INPUTS,
  ...SCRIPT_INPUTS,
]
