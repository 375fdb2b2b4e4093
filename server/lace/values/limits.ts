/** Why a call cannot go on; its message becomes the call's `error`. */
export class CallError extends Error {
  override readonly name: string = 'CallError'
}

/** The response's body was larger than the limit and was not read, and something asked for it. */
export class BodyNotRead extends CallError {
  override readonly name = 'BodyNotRead'
}

/** The steps that were granted are used up. */
export class StepLimitExceeded extends Error {
  override readonly name = 'StepLimitExceeded'
}

/** Texts and JSON that a script builds may be as long as this, in characters. */
export const MAX_TEXT_LENGTH = 10 * 1024 * 1024

export type TextLimit = { maxLength: number; name: string }

export const DEFAULT_TEXT_LIMIT: TextLimit = { maxLength: MAX_TEXT_LENGTH, name: 'a text' }

/** Throws `CallError` for what is longer than it may be. */
export function requireLengthWithin(length: number, { maxLength, name }: TextLimit): void {
  if (length > maxLength) throw new CallError(`${name} grows longer than ${maxLength} characters`)
}

/** What all expressions of a run may cost, in steps of about a nanosecond: a script is short, but may ask for much. */
export const MAX_RUN_STEPS = 5_000_000_000

/**
 * Counts what evaluation costs, by the size of what it works on, before it works on it. The count decides alike on every
 * machine, and however busy that is.
 */
export class StepBudget {
  remaining: number

  constructor(steps: number) {
    this.remaining = steps
  }

  /** Throws `StepLimitExceeded` when there are not so many left. */
  spend(steps: number): void {
    this.remaining -= steps
    if (this.remaining < 0) throw new StepLimitExceeded()
  }
}
