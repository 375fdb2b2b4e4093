import type { HostileInput } from './hostile-input.ts'
import { BODY_INPUTS } from './inputs/bodies.ts'
import { FRONT_INPUTS } from './inputs/front.ts'
import { READ_INPUTS } from './inputs/reads.ts'
import { RECURRENCE_INPUTS } from './inputs/recurrence.ts'
import { SCRIPT_INPUTS } from './inputs/scripts.ts'
import { VALIDATION_INPUTS } from './inputs/validation.ts'

// All inputs that once blocked a process, with variations: no input may hold an event loop for more than 100 ms of CPU
// time, or make a process exceed its memory. To add one, add a row to a file in `inputs/`. The first member of each row
// runs in test/end-to-end/stalls.test.ts.

export const HOSTILE_INPUTS: HostileInput[] = [
  ...RECURRENCE_INPUTS,
  ...BODY_INPUTS,
  ...FRONT_INPUTS,
  ...READ_INPUTS,
  ...SCRIPT_INPUTS,
  ...VALIDATION_INPUTS,
]
