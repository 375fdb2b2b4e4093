import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import { CLI_URL, facadeCli, homeOf, runCli } from '#test/support/cli.ts'
import { testFolder } from '#test/support/folder.ts'

const api = testApi()
const folder = testFolder()
const environment = homeOf(folder)
const loginFile = join(folder, 'config/soundline/login.json')

async function newKey() {
  const organization = await api.create.organization({ name: 'Shop Ltd' })
  return api.create.key(organization.owner, { access: 'write' })
}

describe('login', () => {
  test('asks for address and key, checks them, and stores them for the user alone', async () => {
    const key = await newKey()
    const { send } = facadeCli(api.facade, key)
    const ended = await runCli(['login'], { environment, send, answers: [`${CLI_URL}/settings`, key.token] })
    expect(ended).toMatchObject({ code: 0, notes: '' })
    expect(ended.output).toContain(`Logged in to ${CLI_URL}: Shop Ltd`)
    expect(JSON.parse(await readFile(loginFile, 'utf8'))).toEqual({ url: CLI_URL, key: key.token })
    expect((await stat(loginFile)).mode & 0o777).toBe(0o600)
    expect((await runCli(['services'], { environment, send })).code).toBe(0)
  })

  test('takes the key from standard input', async () => {
    const key = await newKey()
    const { send } = facadeCli(api.facade, key)
    const options = { environment, send, readInput: async () => `${key.token}\n` }
    expect((await runCli(['login', '--url', CLI_URL, '--key-stdin'], options)).code).toBe(0)
    expect(JSON.parse(await readFile(loginFile, 'utf8')).key).toBe(key.token)
  })

  test('stores nothing that the installation does not know', async () => {
    const before = await readFile(loginFile, 'utf8')
    const { send } = facadeCli(api.facade, await newKey())
    const ended = await runCli(['login'], { environment, send, answers: [CLI_URL, 'sl_wrong'] })
    expect(ended).toEqual({ code: 2, output: '', notes: `soundline: ${CLI_URL} refuses this API key: it is unknown\n` })
    expect(await readFile(loginFile, 'utf8')).toBe(before)
  })

  test('names its options where nobody can answer', async () => {
    const ended = await runCli(['login'], { environment })
    expect(ended).toMatchObject({ code: 2, notes: expect.stringContaining('--key-stdin') })
  })
})

describe('the connection', () => {
  test('a stored key is never sent to another address', async () => {
    const sent: string[] = []
    const send = async (request: Request) => {
      sent.push(request.url)
      return Response.json({})
    }
    const elsewhere = { ...environment, SOUNDLINE_URL: 'https://other.example.com' }
    const ended = await runCli(['services'], { environment: elsewhere, send })
    expect(ended).toMatchObject({ code: 2, notes: expect.stringContaining(`The login is for ${CLI_URL}`) })
    expect(sent).toEqual([])
  })

  test('a key needs an address', async () => {
    const ended = await runCli(['services'], { environment: { ...environment, SOUNDLINE_KEY: 'sl_x' } })
    expect(ended).toMatchObject({ code: 2, notes: 'soundline: SOUNDLINE_KEY is set, but SOUNDLINE_URL is not\n' })
  })

  test('a key that cannot be sent is refused and not shown', async () => {
    for (const token of ['sl_first\nsecond', 'sl_ünïcode', 'sl_\u0000x']) {
      const connected = { ...environment, SOUNDLINE_URL: CLI_URL, SOUNDLINE_KEY: token }
      const login = { environment, readInput: async () => token }
      for (const ended of [
        await runCli(['services'], { environment: connected }),
        await runCli(['login', '--url', CLI_URL, '--key-stdin'], login),
      ]) {
        const notes = 'soundline: The API key contains white space or other invalid characters\n'
        expect(ended).toEqual({ code: 2, output: '', notes })
      }
    }
  })

  test('white space around address and key is left out', async () => {
    const key = await newKey()
    const connected = { SOUNDLINE_URL: ` ${CLI_URL}\n`, SOUNDLINE_KEY: `${key.token}\r\n` }
    const { send } = facadeCli(api.facade, key)
    expect(await runCli(['services'], { environment: connected, send })).toMatchObject({ code: 0, notes: '' })
  })

  test('a damaged login says what to do', async () => {
    const damaged = homeOf(join(folder, 'damaged'))
    const key = await newKey()
    const { send } = facadeCli(api.facade, key)
    await runCli(['login'], { environment: damaged, send, answers: [CLI_URL, key.token] })
    await writeFile(join(folder, 'damaged/config/soundline/login.json'), '{')
    const ended = await runCli(['services'], { environment: damaged, send })
    expect(ended).toMatchObject({ code: 2, notes: expect.stringContaining('run `soundline login` again') })
  })

  test('logout removes the login', async () => {
    expect(await runCli(['logout'], { environment })).toMatchObject({ code: 0, output: `Removed ${loginFile}.\n` })
    expect(await runCli(['logout'], { environment })).toMatchObject({ code: 0, output: 'You are not logged in.\n' })
    const ended = await runCli(['services'], { environment })
    expect(ended).toMatchObject({ code: 2, notes: expect.stringContaining('run `soundline login`') })
  })

  test.each([
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'does not respond as'],
    [
      'a redirect',
      () => new Response(null, { status: 301, headers: { location: 'https://x.example' } }),
      'redirects to',
    ],
    [
      'a refusal',
      () => Response.json({ error: 'api_key_revoked', message: 'Make a new key.' }, { status: 401 }),
      'Make a',
    ],
  ])('%s instead of an answer is told', async (_what, answer, text) => {
    const connected = { SOUNDLINE_URL: CLI_URL, SOUNDLINE_KEY: 'sl_x' }
    const ended = await runCli(['services'], { environment: connected, send: async () => answer() })
    expect(ended).toMatchObject({ code: 2, output: '', notes: expect.stringContaining(text) })
  })
})

describe('help', () => {
  test('every command has a description, and every group and command with arguments has examples', async () => {
    const { output } = await runCli(['--help'], {})
    const commands = [...output.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name]) => name as string)
    expect(commands).toEqual(expect.arrayContaining(['login', 'run', 'probe', 'services', 'silence']))
    // `probe --help` is that of the other program.
    for (const command of commands.filter((name) => name !== 'probe')) {
      const help = await runCli([command, '--help'], {})
      expect(help).toMatchObject({ code: 0, notes: '' })
      expect(help.output, command).toMatch(/\nExamples?:\n {2}soundline /)
    }
  })

  test('wrong usage has no verdict', async () => {
    for (const args of [['nope'], ['services', '--nope'], ['services', '--state', 'nope'], ['run'], []]) {
      expect((await runCli(args, {})).code, args.join(' ')).toBe(2)
    }
  })
})
