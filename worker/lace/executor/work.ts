/** Why a call cannot go on; its message becomes the call's `error`. */
export class RunFault extends Error {
  override readonly name: string = 'RunFault'
}

/** The response's body was larger than the limit and was not read, and something asked for it. */
export class BodyMissing extends RunFault {
  override readonly name = 'BodyMissing'
}

/** Texts and JSON that a script builds may be as long as this, in characters. */
export const LONGEST_TEXT = 10 * 1024 * 1024

/** Bounds what the expressions of one run may cost: a script is short, but may ask for much. */
export class Work {
  /** Steps of about one character each. */
  private left = 2_000_000_000

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new RunFault('the expressions of the script ask for too much work')
  }
}
