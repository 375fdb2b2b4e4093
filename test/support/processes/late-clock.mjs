// Preloaded into a process to set its clock back by an hour.

const System = Date
const BEHIND_MS = 3_600_000

globalThis.Date = class extends System {
  constructor(...given) {
    if (given.length === 0) super(System.now() - BEHIND_MS)
    else super(...given)
  }

  static now() {
    return System.now() - BEHIND_MS
  }
}
