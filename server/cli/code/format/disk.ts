import { constants, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, parse, relative, sep } from 'node:path'
import { CliError } from '../../exit-codes.ts'

// Pipelines run the command line on folders that strangers propose. Paths and symbolic links in them must not lead to
// other files of the machine.

export const FILE_BYTES_MAX = 1_048_576

const { O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_TRUNC, O_WRONLY } = constants

/**
 * Returns the real path of a folder, which need not exist. A symbolic link must not lead out of the folder in which the
 * name starts: the root for an absolute name, else the current folder or the one that leading `..` name.
 * @throws CliError
 */
export async function realFolder(dir: string): Promise<string> {
  const name = normalize(dir)
  const [start = ''] = /^(?:\.\.?(?:[\\/]|$))*/.exec(name) ?? []
  const base = isAbsolute(name) ? parse(name).root : await realpath(start || '.')
  const real = await resolveLinks(name).catch((error: Error) => {
    throw new CliError(`${dir}: ${error.message}`)
  })
  if (isInside(base, real)) return real
  throw new CliError(`${dir}: leads out of ${base} by a symbolic link; name the folder itself`)
}

/**
 * Reads a file of a folder. `root` is a real path, and `path` is relative to it.
 * @throws Error with the reason
 */
export async function readInside(root: string, path: string): Promise<string> {
  const file = await open(await locate(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error('is not a regular file')
    if (stats.size > FILE_BYTES_MAX) throw new Error(`is larger than ${FILE_BYTES_MAX} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Writes texts by path into a folder. Nothing is written when one path cannot be. @throws CliError */
export async function writeInside(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  const targets: [file: string, text: string][] = []
  try {
    for (const [path, text] of files) targets.push([await placeFor(root, path), text])
    for (const [target, text] of targets) await write(target, text)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`Cannot write: ${(error as Error).message}`)
  }
}

/** Returns the real path of a file that may be written or deleted; it need not exist. @throws CliError */
export async function placeFor(root: string, path: string): Promise<string> {
  try {
    const target = await locate(root, path)
    const stats = await lstat(target).catch(() => null)
    if (stats && !stats.isFile()) throw new Error('is not a regular file')
    return target
  } catch (error) {
    throw new CliError(`Cannot write ${path}: ${(error as Error).message}`)
  }
}

async function write(target: string, text: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const file = await open(target, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o666)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

async function locate(root: string, path: string): Promise<string> {
  const real = await resolveLinks(join(root, path.split('/').join(sep)))
  if (!isInside(root, real)) throw new Error('leads out of the folder')
  // A checkout has credentials in .git, and tools keep theirs in other hidden files.
  if (relative(root, real).split(sep).some(isHidden)) throw new Error('leads to a hidden file')
  return real
}

/** Resolves symbolic links. The part of a path that does not exist yet stays as it is written. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new Error(`cannot be read (${code})`)
    if (await lstat(path).catch(() => null)) throw new Error('is a symbolic link to a file that does not exist')
    const parent = dirname(path)
    return parent === path ? path : join(await resolveLinks(parent), basename(path))
  }
}

function isInside(root: string, real: string): boolean {
  const path = relative(root, real)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

export function isHidden(name: string): boolean {
  return name.startsWith('.')
}
