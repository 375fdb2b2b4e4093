import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit-codes.ts'

// The file that `login` writes: one address and one API key, readable by its owner alone.

export type Login = { url: string; key: string }

export function loginPath({ environment }: Pick<Cli, 'environment'>): string {
  const { XDG_CONFIG_HOME, APPDATA, HOME = '' } = environment
  return join(XDG_CONFIG_HOME || APPDATA || join(HOME, '.config'), 'soundline', 'login.json')
}

/** Returns null without a login. @throws CliError when the file is damaged */
export async function readLogin(cli: Pick<Cli, 'environment'>): Promise<Login | null> {
  const path = loginPath(cli)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CliError(`${path} cannot be read: ${error.code}`)
  })
  if (text === null) return null
  const login = parseLogin(text)
  if (login === null) throw new CliError(`${path} is damaged: run \`soundline login\` again`)
  return login
}

export async function writeLogin(cli: Pick<Cli, 'environment'>, login: Login): Promise<string> {
  const path = loginPath(cli)
  const written = `${path}.${process.pid}`
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(written, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await rename(written, path)
  return path
}

/** Returns whether there was a login. */
export async function removeLogin(cli: Pick<Cli, 'environment'>): Promise<boolean> {
  const path = loginPath(cli)
  return rm(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw new CliError(`${path} cannot be removed: ${error.code}`)
    },
  )
}

function parseLogin(text: string): Login | null {
  try {
    const { url, key } = JSON.parse(text)
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : null
  } catch {
    return null
  }
}
