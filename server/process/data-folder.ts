// Both this file and embedded.ts create files and folders; the import lists are alike, the calls are not.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StartupError } from './lifecycle.ts'

/** Creates the folder if needed and returns its absolute path. @throws StartupError when it is not writable */
export function openDataFolder(folder: string, setting = 'DATA_DIR'): string {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK | constants.X_OK)
    // Only a write reveals a read-only or full file system.
    const trial = join(folder, `.trial-${process.pid}`)
    writeFileSync(trial, '')
    rmSync(trial)
    return realpathSync(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartupError(`${setting}: ${folder} cannot be written (${code ?? message})`)
  }
}

// Not mkdir's `recursive`: it never returns on a file system that refuses new folders with ENOENT, such as /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** Returns the trimmed content of a file in the folder; null when it is missing or empty. */
export function readDataFile(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8').trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes a file with mode 0600, atomically: readers see all of it or no file. Returns the text. */
export function writeDataFile(folder: string, name: string, text: string): string {
  const unfinished = join(folder, `${name}.new`)
  writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, join(folder, name))
  return text
}
