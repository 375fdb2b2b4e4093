import type { BodyContent } from './body-content.ts'

/** A store of response bodies, addressed by keys of `bodyKey`. */
export type BodyStore = {
  put: (key: string, bytes: Buffer) => Promise<void>
  /** The same for a body that is not in memory as a whole. */
  putStream: (key: string, content: BodyContent) => Promise<void>
  /** `gone`: absent, not a plain object, or a key outside the store. @throws Error when the store fails */
  read: (key: string, maxBytes: number, signal: AbortSignal) => Promise<Buffer | 'gone' | 'too_large'>
  /** Restricts the permissions of existing files, which operators may have left too wide. */
  protect: () => Promise<void>
  /** Removes the bodies of all days before `day` (`YYYY-MM-DD`). */
  removeBefore: (day: string) => Promise<void>
  /** Removes every body of a service. */
  removeService: (organizationId: string, serviceId: string) => Promise<void>
  /** Permits for parallel reads: a hung file system blocks threads of the process, a hung bucket only sockets. */
  readPermits: number
}
