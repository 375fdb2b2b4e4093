// Both this file and embedded.ts create files and folders; the import lists are alike, the calls are not.
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
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
    throw inaccessible(error, 'written', folder, setting)
  }
}

// Not mkdir's `recursive`: it never returns on a file system that refuses new folders with ENOENT, such as /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** @throws StartupError when root would start the installation of another user, who could not start it afterwards */
export function requireOwner(folder: string, name: string, setting = 'DATA_DIR'): void {
  if (process.getuid?.() !== 0) return
  const owner = statSync(join(folder, name), { throwIfNoEntry: false })?.uid ?? 0
  if (owner !== 0) throw new StartupError(`${setting}: ${belongsTo(folder, owner, setting)}`)
}

/** Returns the trimmed content of a file in the folder; null when it is missing or empty. @throws StartupError */
export function readDataFile(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8').trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw inaccessible(error, 'read', join(folder, name))
  }
}

/** Writes a file with mode 0600, atomically: readers see all of it or no file. Returns the text. @throws StartupError */
export function writeDataFile(folder: string, name: string, text: string): string {
  const unfinished = join(folder, `${name}.new`)
  try {
    writeFileSync(unfinished, `${text}\n`, { mode: 0o600, flush: true })
    renameSync(unfinished, join(folder, name))
  } catch (error) {
    throw inaccessible(error, 'written', join(folder, name))
  }
  return text
}

/** Returns why a path cannot be read or written: with its owner where another user can. */
export function inaccessible(error: unknown, verb: string, path: string, setting?: string): StartupError {
  const { code, message } = error as NodeJS.ErrnoException
  const isRefused = code === 'EACCES' || code === 'EPERM'
  const existing = isRefused ? firstExisting(resolve(path)) : null
  const advice =
    existing && existing.uid !== process.getuid?.() ? `. ${belongsTo(existing.path, existing.uid, setting)}` : ''
  return new StartupError(`${setting ? `${setting}: ` : ''}${path} cannot be ${verb} (${code ?? message})${advice}`)
}

function belongsTo(path: string, uid: number, setting = 'DATA_DIR'): string {
  return `${path} belongs to ${userText(uid)}: start as that user, or set ${setting} to another folder`
}

function userText(uid: number): string {
  try {
    const name = execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return `${name.trim()} (uid ${uid})`
  } catch {
    return `the user with uid ${uid}`
  }
}

/** Returns the path or the first folder above it that this user can see. */
function firstExisting(path: string): { path: string; uid: number } | null {
  try {
    return { path, uid: statSync(path).uid }
  } catch {
    return dirname(path) === path ? null : firstExisting(dirname(path))
  }
}
