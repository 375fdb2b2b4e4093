import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaText } from '#server/cli/code/format/json-schema.ts'
import { createDownloads } from '#server/http/downloads.ts'
import { createFront } from '#server/http/front.ts'
import { writePackage } from '#server/process/packages.ts'
import { ROOT } from '#server/process/program.ts'
import { testApi } from '#test/support/api/api.ts'
import { testFolder } from '#test/support/folder.ts'

// The package as a bare runner gets it: fetched from an installation, installed without a registry, run by name.

const execute = promisify(execFile)
const api = testApi({ settings: { BASE_URL: 'https://soundline.example.com' } })
const folder = testFolder()
let front: Server
let address: string

beforeAll(async () => {
  const file = join(folder, 'cli.tgz')
  await writePackage(ROOT, 'cli', file)
  const unused = async () => new Response(null, { status: 500 })
  front = createFront({
    runtime: api.runtime,
    api: api.facade,
    document: unused,
    health: unused,
    download: createDownloads({
      '/cli.tgz': () => readFile(file),
      '/agent.tgz': async () => null,
      '/soundline.schema.json': async () => Buffer.from(schemaText()),
    }),
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => front.close(resolve)))

describe('/cli.tgz', () => {
  test('is served at any host of the installation, with an ETag that saves the second download', async () => {
    const first = await fetch(`${address}/cli.tgz`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/gzip')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect((await first.arrayBuffer()).byteLength).toBe(Number(first.headers.get('content-length')))
    const etag = first.headers.get('etag') ?? ''
    const second = await fetch(`${address}/cli.tgz`, { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect((await fetch(`${address}/cli.tgz`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    expect((await fetch(`${address}/cli.tgz`, { method: 'HEAD' })).status).toBe(200)
    const refused = await fetch(`${address}/cli.tgz`, { method: 'POST' })
    expect([refused.status, await refused.json()]).toMatchObject([405, { error: 'method_not_allowed' }])
  })

  test('is the same for the same sources', async () => {
    const again = join(folder, 'again.tgz')
    await writePackage(ROOT, 'cli', again)
    const served = Buffer.from(await (await fetch(`${address}/cli.tgz`)).arrayBuffer())
    expect(served.equals(await readFile(again))).toBe(true)
  })
})

test('/soundline.schema.json is the schema that export writes', async () => {
  const answer = await fetch(`${address}/soundline.schema.json`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/schema+json'])
  expect(await answer.text()).toBe(schemaText())
})

describe('the package', () => {
  let target: Server

  beforeAll(async () => {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    // No request for a registry can succeed.
    const npm = ['install', '--registry', 'http://127.0.0.1:1', '--fetch-retries', '0', '--no-audit', '--no-fund']
    await execute('npm', [...npm, '--prefix', folder, `${address}/cli.tgz`], { cwd: folder })
    target = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const port = (target.address() as AddressInfo).port
    const script = `get("http://127.0.0.1:${port}/").expect(status: 200, body: schema($s.shape))`
    await writeFile(join(folder, 'checkout.lace'), script)
    await writeFile(join(folder, 'vars.json'), '{"s": {"shape": {"type": "object"}}}')
  })
  afterAll(() => new Promise((resolve) => target.close(resolve)))

  const run = (args: string[]) =>
    execute(join(folder, 'node_modules/.bin/soundline'), args, { cwd: folder }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )

  test('has the version of the product', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('validates a script', async () => {
    expect(await run(['validate', '.'])).toEqual({ code: 0, stdout: '1 script checked, no errors\n', stderr: '' })
  })

  test('imports checks', async () => {
    await writeFile(join(folder, 'checks.sh'), 'curl -f https://example.com/health -H "Accept: text/html"\n')
    const ended = await run(['import', 'curl', 'checks.sh', 'imported'])
    expect(ended).toEqual({ code: 0, stdout: '1 service in imported\n', stderr: '' })
    expect(await readFile(join(folder, 'imported/imported/get-example-com-health.yaml'), 'utf8')).toContain(
      'kind: service',
    )
  })

  test('runs a script, with the threads that check its body', async () => {
    const options = ['--vars', 'vars.json', '--allow-network', '127.0.0.0/8', '--table']
    const ended = await run(['probe', 'run', 'checkout.lace', ...options])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('✔ expect body')
  })
})
