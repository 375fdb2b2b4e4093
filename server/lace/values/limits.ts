/** Why a call cannot go on; its message becomes the call's `error`. */
export class RunFault extends Error {
  override readonly name: string = 'RunFault'
}

/** The response's body was larger than the limit and was not read, and something asked for it. */
export class BodyMissing extends RunFault {
  override readonly name = 'BodyMissing'
}

/** The steps that were granted are used up. */
export class WorkSpent extends Error {
  override readonly name = 'WorkSpent'
}

/** Texts and JSON that a script builds may be as long as this, in characters. */
export const LONGEST_TEXT = 10 * 1024 * 1024

/** What all expressions of a run may cost, in steps of about a nanosecond: a script is short, but may ask for much. */
export const RUN_STEPS = 5_000_000_000

/**
 * Counts what evaluation costs, by the size of what it works on, before it works on it. The count decides alike on every
 * machine, and however busy that is.
 */
export class Work {
  left: number

  constructor(steps: number) {
    this.left = steps
  }

  /** Throws `WorkSpent` when there are not so many left. */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new WorkSpent()
  }
}
