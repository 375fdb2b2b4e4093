import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '#test/support/certificates.ts'
import { readDeployFile } from '#test/support/deployment.ts'
import { testFolder } from '#test/support/folder.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const HOST = 'soundline.example.com:8443'
const given = readDeployFile('nginx.conf')

test('nginx.conf is for nginx 1.22 of Debian 12 and later, and hands on the host with its port', () => {
  expect(given).not.toMatch(/^\s*http2 on;/m)
  expect(given.match(/^ {4}listen .*443 .*;$/gm)).toEqual([
    '    listen 443 ssl http2;',
    '    listen [::]:443 ssl http2;',
  ])
  expect(given).toContain('proxy_set_header Host $http_host;')
})

// Where it is installed: the file itself, with sockets in a folder instead of its ports.
const isInstalled = spawnSync('nginx', ['-v']).status === 0
describe.each(isInstalled ? ['nginx'] : [])('%s', (program) => {
  const folder = testFolder()
  const socket = join(folder, 'https.sock')
  let target: HttpTarget
  let nginx: ChildProcess
  let ca: string

  beforeAll(async () => {
    target = await startHttpTarget((incoming, response) => response.end(String(incoming.headers.host)))
    const certificate = await makeCertificate('valid')
    ca = certificate.ca
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
    for (const [name, text] of Object.entries({ 'cert.pem': certificate.cert, 'key.pem': certificate.key })) {
      writeFileSync(join(folder, name), text)
    }
    const adapted = given
      .replace(/^ *listen \[::\].*$/gm, '')
      .replace('listen 443 ', `listen unix:${socket} `)
      .replace('listen 80;', `listen unix:${join(folder, 'http.sock')};`)
      .replace('127.0.0.1:3000', `127.0.0.1:${target.port}`)
      .replace('/etc/ssl/soundline/fullchain.pem', join(folder, 'cert.pem'))
      .replace('/etc/ssl/soundline/privkey.pem', join(folder, 'key.pem'))
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const http = `http { access_log off; ${folders.join(' ')}\n${adapted}\n}`
    const path = join(folder, 'nginx.conf')
    writeFileSync(path, `daemon off; pid ${folder}/pid; error_log stderr; events {} ${http}`)
    const { status, stderr } = spawnSync(program, ['-t', '-c', path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.stringContaining('successful')])
    nginx = spawn(program, ['-c', path], { stdio: 'ignore' })
    await until('nginx', async () => existsSync(socket) && existsSync(join(folder, 'pid')))
  })
  afterAll(async () => {
    if (nginx) {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
    }
    await target?.close()
  })

  test('hands on the host and port by HTTP/1.1', async () => {
    const sent = request({
      socketPath: socket,
      servername: 'localhost',
      ca,
      path: '/api/health',
      headers: { host: HOST },
    })
    const [response] = await once(sent.end(), 'response')
    expect(await textOf(response)).toBe(HOST)
  })

  test('hands on the host and port by HTTP/2', async () => {
    const session = connect(`https://${HOST}`, {
      createConnection: () => connectTls({ path: socket, servername: 'localhost', ca, ALPNProtocols: ['h2'] }),
    })
    const stream = session.request({ ':path': '/api/health', ':authority': HOST })
    expect(await textOf(stream)).toBe(HOST)
    session.close()
  })
})

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
