import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readDataFile, writeDataFile } from '#server/process/data-folder.ts'

const FILE = 'process'

export type ProcessName = {
  /** The name of this process: new at each start. */
  instance: string
  /** The last process of the folder that could take runs. The folder's lock proves that it is dead. */
  former: string | undefined
  /** Stores the name for the next process. Called before this one takes runs. */
  store: () => void
}

/** Names this process. The caller holds the lock of the folder. */
export function nameProcess(folder: string): ProcessName {
  const instance = randomUUID()
  return {
    instance,
    // Without a readable name, the leases of the former process expire.
    former: z.guid().safeParse(readDataFile(folder, FILE)).data,
    store: () => writeDataFile(folder, FILE, instance),
  }
}
