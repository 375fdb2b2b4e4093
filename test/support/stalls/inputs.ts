import type { HostileInput } from './hostile-input.ts'
import { BODY_INPUTS } from './inputs/bodies.ts'
import { FRONT_INPUTS } from './inputs/front.ts'
import { READ_INPUTS } from './inputs/reads.ts'
import { RECURRENCE_INPUTS } from './inputs/recurrence.ts'
import { SCRIPT_INPUTS } from './inputs/scripts.ts'
import { VALIDATION_INPUTS } from './inputs/validation.ts'

// All inputs that once blocked a process, with variations. No input of a caller, member, script, target or receiver may
// hold an event loop for more than 100 ms of CPU time, or make a process exceed its memory.
//
// To add an input, add a row to a file in `inputs/` (one file per part of the product), and list the file's array
// below. `send` sends the input, and draws each of its numbers and parts from `variation`: the first value is the
// original one, the others are its family. It resolves when the process has handled the input, and throws on a wrong
// response. The first members of each row run in test/end-to-end/stalls.test.ts.

export const HOSTILE_INPUTS: HostileInput[] = [
  ...RECURRENCE_INPUTS,
  ...BODY_INPUTS,
  ...FRONT_INPUTS,
  ...READ_INPUTS,
  ...SCRIPT_INPUTS,
  ...VALIDATION_INPUTS,
]
