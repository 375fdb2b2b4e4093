import type { Cli } from '../cli.ts'
import { CliError } from '../exit-codes.ts'
import { type Login, readLogin } from './login-file.ts'

const HOW = 'run `soundline login`, or set SOUNDLINE_URL and SOUNDLINE_KEY'

/**
 * Returns the address and key of the installation: from the environment, else from the login. A key is never sent to an
 * address that it was not given for.
 * @throws CliError without a connection
 */
export async function readConnection(cli: Pick<Cli, 'environment'>): Promise<Login> {
  const SOUNDLINE_URL = cli.environment.SOUNDLINE_URL?.trim()
  const SOUNDLINE_KEY = cli.environment.SOUNDLINE_KEY?.trim()
  if (SOUNDLINE_URL && SOUNDLINE_KEY) return { url: parseAddress(SOUNDLINE_URL), key: parseKey(SOUNDLINE_KEY) }
  if (SOUNDLINE_KEY) throw new CliError('SOUNDLINE_KEY is set, but SOUNDLINE_URL is not')
  const login = await readLogin(cli)
  const url = SOUNDLINE_URL ? parseAddress(SOUNDLINE_URL) : login?.url
  if (!login || !url) throw new CliError(`There is no ${url ? 'API key' : 'connection'}: ${HOW}`)
  if (url !== login.url) throw new CliError(`The login is for ${login.url}, not for ${url}: ${HOW}`)
  return { url, key: parseKey(login.key) }
}

/**
 * Returns the key without white space around it. A header cannot have other characters, and the error of `fetch` would show
 * the key.
 * @throws CliError
 */
export function parseKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new CliError('No API key is given')
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new CliError('The API key contains white space or other invalid characters')
}

/** Returns the address without path and trailing slash. @throws CliError */
export function parseAddress(given: string): string {
  const text = given.trim()
  const scheme = /^(localhost|127\.0\.0\.1)(:|\/|$)/.test(text) ? 'http' : 'https'
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new CliError(`${text} is not the address of an installation, such as https://soundline.example.com`)
  }
  return url.origin
}
