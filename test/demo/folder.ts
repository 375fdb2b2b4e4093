import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFolder, readDataFile, writeDataFile } from '#server/process/data-folder.ts'
import { StartupError } from '#server/process/lifecycle.ts'

const FILE = 'demo.json'

const Stored = z.object({
  /** All history is in the database. */
  isFilled: z.boolean(),
  email: z.string(),
  password: z.string(),
  secretKeys: z.string(),
  /** The scripts name it, so it stays. */
  targetPort: z.int(),
})
export type Demo = z.output<typeof Stored> & { folder: string }

/**
 * Opens the folder of a demo, or makes it one if it is empty. What a start that was interrupted filled in is removed.
 * @throws StartupError when the folder holds something else
 */
export function openDemo(path: string): Demo {
  const folder = openDataFolder(path)
  const stored = readDataFile(folder, FILE)
  const files = readdirSync(folder)
  if (stored === null && files.length > 0) {
    throw new StartupError(`DATA_DIR: ${folder} holds something else than a demo: choose an empty folder`)
  }
  const demo = stored === null ? newDemo() : Stored.parse(JSON.parse(stored))
  if (!demo.isFilled) for (const file of files) rmSync(join(folder, file), { recursive: true, force: true })
  return storeDemo({ ...demo, folder })
}

export function storeDemo(demo: Demo): Demo {
  writeDataFile(demo.folder, FILE, JSON.stringify(Stored.parse(demo), null, 2))
  return demo
}

function newDemo(): z.output<typeof Stored> {
  return {
    isFilled: false,
    email: 'ana@northwind.example',
    password: randomBytes(9).toString('base64url'),
    secretKeys: `demo:${randomBytes(32).toString('base64url')}`,
    // Below the ports that the system hands out, so that it is free at the next start too.
    targetPort: 20_000 + (randomBytes(2).readUInt16BE() % 10_000),
  }
}
