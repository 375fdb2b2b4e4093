/** The call cannot continue. The message becomes the call's `error`. */
export class CallError extends Error {
  override readonly name: string = 'CallError'
}

/** An expression uses a body that exceeded the size limit and was not read. */
export class BodyNotRead extends CallError {
  override readonly name = 'BodyNotRead'
}

/** The step budget is used up. */
export class StepLimitExceeded extends Error {
  override readonly name = 'StepLimitExceeded'
}

/** Maximum length of strings and JSON that a script builds, in characters. */
export const MAX_TEXT_LENGTH = 10 * 1024 * 1024

/** The maximum length of a string in characters, and the string's name in messages. */
export type TextLimit = { maxLength: number; name: string }

export const DEFAULT_TEXT_LIMIT: TextLimit = { maxLength: MAX_TEXT_LENGTH, name: 'a string' }

/** @throws CallError when the length exceeds the limit */
export function requireLengthWithin(length: number, { maxLength, name }: TextLimit): void {
  if (length > maxLength) throw new CallError(`${name} grows longer than ${maxLength} characters`)
}

/** Step budget of all expressions of a run; a step is about a nanosecond. Even a short script can be expensive. */
export const MAX_RUN_STEPS = 5_000_000_000

/**
 * Counts the cost of evaluation in steps, by the size of the operands and before the work is done. The count is the
 * same on every machine, however busy it is.
 */
export class StepBudget {
  remaining: number

  constructor(steps: number) {
    this.remaining = steps
  }

  /** @throws StepLimitExceeded when fewer steps remain */
  spend(steps: number): void {
    this.remaining -= steps
    if (this.remaining < 0) throw new StepLimitExceeded()
  }
}
