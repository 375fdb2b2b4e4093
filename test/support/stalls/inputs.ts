import type { HostileInput } from './hostile-input.ts'
import { BODY_INPUTS } from './inputs/bodies.ts'
import { FRONT_INPUTS } from './inputs/front.ts'
import { READ_INPUTS } from './inputs/reads.ts'
import { RECURRENCE_INPUTS } from './inputs/recurrence.ts'
import { SCRIPT_INPUTS } from './inputs/scripts.ts'

// Every input that held a process once, and what is like it: no input of a caller, member, script, target or receiver
// holds an event loop longer than 25 ms, or a process over its memory.
//
// To add one, put a row into a file of `inputs/` (one file per part of the product) and name the file's list below.
// `send` sends the input as it was found, with a draw of `vary` for each of its numbers and parts: the first value named
// is the one found, the others are the family around it. It resolves when the process is done with the input, and
// throws when the answer is not the one an honest mend gives. `npx vitest run --config test/vitest.config.ts
// test/end-to-end/stalls.test.ts` runs a few members of each row, `npm run bench -- stalls` many, and prints them.

export const HOSTILE_INPUTS: HostileInput[] = [
  ...RECURRENCE_INPUTS,
  ...BODY_INPUTS,
  ...FRONT_INPUTS,
  ...READ_INPUTS,
  ...SCRIPT_INPUTS,
]
