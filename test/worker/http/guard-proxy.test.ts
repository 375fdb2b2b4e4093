import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startCanaries } from '#test/support/targets/canary.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'

const LOAD = fileURLToPath(new URL('../../support/targets/hostile-load.ts', import.meta.url))

test('proxy settings in the environment are ignored', async () => {
  const proxy = await startCanaries(['127.0.0.1'])
  let requests = 0
  const target = await startHttpTarget((_request, response) => {
    requests += 1
    response.end('straight')
  })
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
        [name, proxyUrl],
        [name.toLowerCase(), proxyUrl],
      ]),
    ),
    NO_PROXY: '',
    no_proxy: '',
  }
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, JSON.stringify([`${target.url}/`]), '3'], {
    env,
  })
  expect(JSON.parse(stdout)).toMatchObject({ runs: 3, responses: 8 })
  expect([proxy.hits(), requests]).toEqual([0, 8])

  // Node's own client uses the same settings, so the test can fail.
  const plain = `require('node:http').get('${target.url}', (response) => response.resume())`
  await promisify(execFile)(process.execPath, ['-e', plain], { env })
  expect(proxy.hits()).toBe(1)
  await Promise.all([proxy.close(), target.close()])
})
