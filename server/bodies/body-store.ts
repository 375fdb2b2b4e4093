/** One place where response bodies lie, addressed by keys of `bodyKey`. */
export type BodyStore = {
  put: (key: string, bytes: Buffer) => Promise<void>
  /** `gone`: absent, no plain object, or a key that leads out of the store. @throws when the store does not answer */
  read: (key: string, maxBytes: number, signal: AbortSignal) => Promise<Buffer | 'gone' | 'too_large'>
  /** Takes what an earlier release or a hand left open to others away from them. */
  protect: () => Promise<void>
  /** Removes the bodies of all days before `day` (`YYYY-MM-DD`). */
  removeBefore: (day: string) => Promise<void>
  /** Removes every body of a service. */
  removeService: (organizationId: string, serviceId: string) => Promise<void>
  /** Reads at once: a hung file system holds threads of the process, a hung bucket only sockets. */
  readSlots: number
}
