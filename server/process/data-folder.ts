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

/** The folder is made if need be. Answers its absolute path. @throws StartupError when it cannot be written */
export function openDataFolder(folder: string): string {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK | constants.X_OK)
    // Only writing tells of a file system that is read-only or full.
    const trial = join(folder, `.trial-${process.pid}`)
    writeFileSync(trial, '')
    rmSync(trial)
    return realpathSync(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartupError(`DATA_DIR: ${folder} cannot be written (${code ?? message})`)
  }
}

// Step by step: Node's own `recursive` never returns where a file system refuses new folders by ENOENT, as /proc does.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** A text that the folder keeps; null when it keeps none of that name. */
export function readDataFile(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8').trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Keeps a text in the folder: mode 0600, and whole or not there at all. */
export function writeDataFile(folder: string, name: string, text: string): string {
  const unfinished = join(folder, `${name}.new`)
  writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flush: true })
  renameSync(unfinished, join(folder, name))
  return text
}
