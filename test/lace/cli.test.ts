// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testFolder } from '#test/support/folder.ts'
import { main } from '#worker/cli/main.ts'
import { answerJson, startTarget, type Target } from './server.ts'

const CLI = new URL('../../worker/cli/main.ts', import.meta.url).pathname
const directory = testFolder()
let target: Target

beforeAll(async () => {
  target = await startTarget(answerJson({ count: 3 }))
})

afterAll(async () => {
  await target[Symbol.asyncDispose]()
})

async function file(name: string, content: string | object): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

type Ended = { code: number | null; out: string; err: string }

/** Runs the command as a user does, with its output in a pipe. A process costs forty times a call in this one. */
function probeAsUser(args: string[], environment: Record<string, string> = {}) {
  return new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: directory,
      env: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...environment,
      },
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text
    })
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** Runs the command in this process, and allows it loopback. */
function probe(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  // This process has read its settings before.
  const networks = args[0] === 'run' ? ['--allow-network', '127.0.0.0/8'] : []
  return call([...args, ...networks], environment)
}

/** Runs the command in this process, in the same working directory and without a terminal. */
async function call(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  using output = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  using errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const before = process.cwd()
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  process.chdir(directory)
  try {
    const code = await main(args, { output: false, colours: false })
    const text = ({ mock }: typeof output) => mock.calls.map(([line]) => `${line}\n`).join('')
    return { code, out: text(output), err: text(errors) }
  } finally {
    process.chdir(before)
    vi.unstubAllEnvs()
  }
}

describe('run', () => {
  test('exits with 0 on success, and prints the result as JSON', async () => {
    const script = await file(
      'ok.lace',
      'get("$base/x").expect(status: 200).assert({ expect: [prev.n eq 1] }).store({ a: $v })',
    )
    const vars = await file('vars.json', { base: 'http://nowhere.invalid', v: 1 })
    const prev = await file('prev.json', { n: 1 })
    const { code, out } = await probeAsUser([
      'run',
      script,
      '--vars',
      vars,
      '--var',
      `base=${target.url}`,
      '--prev',
      prev,
    ])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'success', actions: { variables: { a: 1 } } })
    expect(JSON.parse(out).calls[0].response.bodyNotCapturedReason).toBe('notRequested')
    expect(code).toBe(0)
  })

  test('exits with 1 on failure, and for a script that does not validate', async () => {
    const script = await file('fail.lace', `get("${target.url}").expect(status: 500)`)
    const failed = await probe(['run', script])
    expect(failed).toMatchObject({ code: 1, err: `GET ${target.url}: status 200, expected 500\n` })
    expect(JSON.parse(failed.out)).toMatchObject({ outcome: 'failure' })
    const broken = await file('broken.lace', 'get("u")')
    const { code, out } = await probe(['run', broken])
    expect(code).toBe(1)
    expect(JSON.parse(out).error).toContain('EMPTY_CHAIN')
  })

  test('exits with 2 on a timeout', async () => {
    await using silent = await startTarget(() => undefined)
    const script = await file('slow.lace', `get("${silent.url}", { timeout: { ms: 1500 } }).wait(0)`)
    expect(await probe(['run', script])).toMatchObject({
      code: 2,
      err: `GET ${silent.url}: no complete response within 1500 ms (waiting for the response)\n`,
    })
  })

  test('reaches loopback only when it is allowed', async () => {
    const script = await file('guard.lace', `get("${target.url}").expect(status: 200)`)
    const closed = await call(['run', script])
    expect(closed.code).toBe(1)
    expect(JSON.parse(closed.out).calls[0].error).toContain('blocked_probe_target')
    const read = await call(['run', script, '--table'])
    expect(read.out).toContain('--allow-network CIDR lets the script reach a private network')
    const opened = await call(['run', script, '--allow-network', '127.0.0.1/32'])
    expect(opened.code).toBe(0)
  })

  test('reads variables by scope as the platform does', async () => {
    const script = await file('scoped.lace', 'get("$s.base/${$w.name}").expect(status: 200)')
    const vars = await file('scoped.json', { s: { base: target.url }, w: { name: 'x' } })
    const { code, out } = await probe(['run', script, '--vars', vars])
    expect(JSON.parse(out).calls[0].request.url).toBe(`${target.url}/x`)
    expect(code).toBe(0)
    expect(JSON.parse((await probe(['run', script, '--scoped'])).out).calls[0].request.url).toBe('null/null')
  })

  test('saves bodies and results at the given paths', async () => {
    const script = await file('keep.lace', `get("${target.url}").wait(0)`)
    const bodies = join(directory, 'bodies')
    const { out } = await probe([
      'run',
      script,
      '--save-body',
      '--bodies-dir',
      bodies,
      '--save-to',
      join(directory, 'r.json'),
    ])
    const path = join(bodies, 'call_0_response.json')
    expect(JSON.parse(out).calls[0].response.bodyPath).toBe(path)
    expect(await readFile(path, 'utf8')).toBe('{"count":3}')
    expect(JSON.parse(await readFile(join(directory, 'r.json'), 'utf8'))).toEqual(JSON.parse(out))
    const results = await mkdtemp(join(directory, 'results-'))
    await probe(['run', script, '--save-to', results, '--save-body'])
    const [body, result] = (await readdir(results)).sort().reverse()
    expect(body).toBe('call_0_response.json')
    expect(result).toMatch(/^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.json$/)
  })

  test('prints a table, with colours on a terminal only', async () => {
    const script = await file(
      'table.lace',
      `get("${target.url}/a", { headers: { A: $none } }).expect(status: 200).check(size: 1).assert({ check: [null gt 1, this.body.count eq 3, this.body.count eq 4, 4 eq this.body.count] }).store({ "$$n": this.body.count, m: 2 })
       get("${target.url}/b").expect(status: 500) get("u").wait(0)`,
    )
    const { code, out } = await probeAsUser(['run', script, '--table'])
    expect(code).toBe(1)
    const lines = out.split('\n')
    expect(lines.slice(0, 2)).toEqual([`GET ${target.url}/b: status 200, expected 500 (3 more failed)`, ''])
    expect(lines[2]).toMatch(/^ +call +status +total +dns +connect +tls +ttfb +transfer +size$/)
    expect(lines[3]).toMatch(
      /^1 +GET http:\/\/127\.0\.0\.1:\d+\/a +200 +\d+ ms +\d+ ms +\d+ ms +0 ms +\d+ ms +\d+ ms +11 B$/,
    )
    for (const text of [
      '  ✔ expect status eq 200',
      '  ✘ check size eq 1, got 11',
      '  ? assert check null gt 1, got null',
      '  ✔ assert check this.body.count eq 3',
      '  ✘ assert check this.body.count eq 4, got 3',
      '  ✘ assert check 4 eq this.body.count, got 3',
      '  ! header A is null and was written as "null"',
      '  ✘ expect status eq 500, got 200',
      '  n = 3',
      '  m = 2',
    ]) {
      expect(lines).toContain(text)
    }
    expect(lines.find((line) => line.startsWith('3'))).toMatch(/^3 +skipped +skipped$/)
    expect(out).toMatch(/\nfailure in \d+ ms\n$/)
    expect(out).not.toContain('\x1b')
  })
})

describe('the config file', () => {
  test('sets limits, user agent and paths, also by environment', async () => {
    const folder = await mkdtemp(join(directory, 'configured-'))
    await writeFile(
      join(folder, 'lace.config'),
      `[executor]
       maxRedirects = 2
       user_agent = "env:FLEET:nobody/1"
       [result.bodies]
       dir = "${join(folder, 'kept')}"
       [lace.config.staging]
       executor.maxTimeoutMs = 100
       executor.user_agent = "staging/1"`,
    )
    const script = join(folder, 'a.lace')
    await writeFile(script, `get("${target.url}", { timeout: { ms: 500 } }).wait(0)`)
    const agent = async (...more: Parameters<typeof probe>) => {
      const result = JSON.parse((await probe(...more)).out)
      return result.error ?? result.calls[0].request.headers['User-Agent']
    }
    expect(await agent(['run', script])).toBe('nobody/1')
    expect(await agent(['run', script], { FLEET: 'fleet/2' })).toBe('fleet/2')
    expect(await agent(['run', script, '--env', 'staging'])).toContain('TIMEOUT_MS_LIMIT')
    expect(await agent(['run', script], { LACE_ENV: 'staging' })).toContain('TIMEOUT_MS_LIMIT')
    expect(await agent(['run', script, '--config', await file('empty.config', '')])).toMatch(
      /^lace-probe\/\d+\.\d+\.\d+ \(soundline\)$/,
    )
    expect(await readdir(join(folder, 'kept'))).toEqual(['call_0_response.json'])
  })

  test.each([
    ['executor = 1', 'executor'],
    ['[executor]\nmaxRedirects = "ten"', 'executor.maxRedirects'],
    ['[executor]\nextensions = ["laceNotifications"]', 'extensions are not implemented'],
    ['[executor', 'not valid TOML'],
  ])('%j is reported', async (content, reason) => {
    const script = await file('c.lace', `get("${target.url}").wait(0)`)
    const { code, err } = await probe(['run', script, '--config', await file('bad.config', content)])
    expect(code).toBe(3)
    expect(err).toContain(reason)
  })
})

test('an unset variable in the config ends the run before its first call', async () => {
  const script = await file('u.lace', `get("${target.url}").wait(0)`)
  const config = await file('unset.config', '[executor]\nuser_agent = "env:NOT_SET_ANYWHERE"')
  const { code, out } = await probe(['run', script, '--config', config])
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    outcome: 'failure',
    calls: [],
    error: expect.stringContaining('NOT_SET_ANYWHERE'),
  })
})

describe('validate', () => {
  test('exits with 0 without errors', async () => {
    const script = await file('valid.lace', 'get("$base").expect(status: 200).assert({ check: [prev.a eq 1] })')
    const { code, out } = await probe(['validate', script])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ errors: [], warnings: [{ code: 'PREV_WITHOUT_RESULTS' }] })
  })

  test('exits with 1 for errors, and uses the given names and limits', async () => {
    const script = await file('invalid.lace', 'get("$base", { timeout: { ms: 500 } })\n  .expect(body: $txt)')
    const list = await file('list.json', ['base', 'text'])
    const context = await file('context.json', { maxTimeoutMs: 100 })
    const args = ['validate', script, '--vars-list', list, '--context', context]
    const { code, out } = await probe(args)
    expect(code).toBe(1)
    expect(JSON.parse(out).errors.map((error: { code: string }) => error.code)).toEqual([
      'TIMEOUT_MS_LIMIT',
      'VARIABLE_UNKNOWN',
    ])
    const readable = await probe([...args, '--table'])
    expect(readable.out).toContain(
      `${script}:2:17: error: variable \`$txt\` does not exist; did you mean \`$text\`? (VARIABLE_UNKNOWN)\n    .expect(body: $txt)\n                  ^`,
    )
    expect(readable.out).toContain('2 errors, 0 warnings')
  })

  test('uses names by scope', async () => {
    const script = await file('by-scope.lace', 'get("$s.base").expect(body: $w.other)')
    const list = await file('scopes.json', { s: ['base'], w: [] })
    const { out } = await probe(['validate', script, '--vars-list', list])
    expect(JSON.parse(out).errors).toMatchObject([{ code: 'VARIABLE_UNKNOWN', field: 'w.other' }])
  })
})

describe('parse', () => {
  test('prints the tree or the errors', async () => {
    const good = await probe(['parse', await file('good.lace', 'get("u").wait(1)')])
    expect(good.code).toBe(0)
    expect(JSON.parse(good.out)).toEqual({
      ast: { version: '0.9.4', calls: [{ method: 'get', url: 'u', chain: { wait: 1 } }] },
    })
    const bad = await probe(['parse', await file('bad.lace', 'get(')])
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out)).toMatchObject({ errors: [{ code: 'PARSE_ERROR', line: 1 }] })
  })
})

describe('the exit code is 3 for', () => {
  test.each([
    [[], 'No command is given'],
    [['fly', 'a.lace'], 'There is no command fly'],
    [['run'], 'No script is given'],
    [['run', 'a.lace', 'b.lace'], 'Only one script is allowed'],
    [['run', '<nowhere.lace>'], 'nowhere.lace cannot be read: ENOENT'],
    [['run', '<x.lace>', '--nonsense'], 'There is no option --nonsense'],
    [['run', '<x.lace>', '--nonsense=1'], 'There is no option --nonsense'],
    [['run', '<x.lace>', '-x'], 'There is no option -x'],
    [['run', '<x.lace>', '--vars'], 'The option --vars needs a value'],
    [['run', '<x.lace>', '--vars', '--scoped'], 'The option --vars needs a value'],
    [['run', '<x.lace>', '--scoped=1'], 'The option --scoped takes no value'],
    [['run', '<x.lace>', '--json', '--table'], 'exclude each other'],
    [['run', '<x.lace>', '--var', 'a'], '--var a is not KEY=VALUE'],
    [['run', '<x.lace>', '--vars', '<x.lace>'], 'x.lace is not valid JSON'],
    [['run', '<x.lace>', '--vars', '<list.txt>'], 'list.txt is not a JSON object'],
    [['validate', '<x.lace>', '--vars-list', '<names.txt>'], 'is neither an array of names'],
  ])('%j', async (args, reason) => {
    await file('x.lace', 'get("u").wait(0)')
    await file('list.txt', '[]')
    await file('names.txt', '[1]')
    using errorOutput = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const placed = args.map((arg) => arg.replace(/^<(.*)>$/, (_, name) => join(directory, name)))
    expect(await main(placed, { output: false, colours: false })).toBe(3)
    expect(errorOutput.mock.calls.join(' ')).toContain(reason)
  })

  test('an unknown option, in one sentence with the usage', async () => {
    const { code, out, err } = await call(['run', await file('x.lace', 'get("u").wait(0)'), '--nonsense'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err.split('\n')).toEqual([
      'There is no option --nonsense',
      'Usage: probe COMMAND SCRIPT [OPTIONS]',
      '(see --help)',
      '',
    ])
  })

  test('an invalid network', async () => {
    const { code, err } = await call(['run', await file('x.lace', 'get("u").wait(0)'), '--allow-network', 'everywhere'])
    expect(code).toBe(3)
    expect(err).toContain('--allow-network: ')
  })

  test('an invalid setting', async () => {
    const { code, err } = await probeAsUser(['run', await file('x.lace', 'get("u").wait(0)')], {
      PROBE_ALLOWED_NETWORKS: 'x',
    })
    expect(code).toBe(3)
    expect(err).toContain('PROBE_ALLOWED_NETWORKS')
  })
})

test('--help prints the usage', async () => {
  const { code, out } = await call(['--help'])
  expect(code).toBe(0)
  expect(out).toContain('Exit codes')
})
