import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Json, JsonObject } from '#server/language/lace/values/json.ts'
import { isObject } from '#server/language/lace/values/json.ts'
import { CommandError } from './command-error.ts'

export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${codeOf(error)}`)
  }
}

export async function readJson(path: string): Promise<Json> {
  const text = await readText(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${path} is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

export async function readObject(path: string): Promise<JsonObject> {
  const value = await readJson(path)
  if (!isObject(value)) throw new CommandError(`${path} is not a JSON object`)
  return value
}

/** Writes a result to a file, or into a directory under the time of its start. Returns the path. */
export async function saveResult(path: string, result: { startedAt: string }): Promise<string> {
  const target = (await isDirectory(path))
    ? join(path, `${result.startedAt.slice(0, 19).replace('T', '_').replaceAll(':', '-')}.json`)
    : path
  try {
    await mkdir(dirname(resolve(target)), { recursive: true })
    await writeFile(target, `${JSON.stringify(result, null, 2)}\n`)
  } catch (error) {
    throw new CommandError(`${target} cannot be written: ${codeOf(error)}`)
  }
  return target
}

/** A path that does not exist yet is a file if it ends in `.json`. */
export async function isDirectory(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats ? stats.isDirectory() : !path.endsWith('.json')
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? String(error)
}
