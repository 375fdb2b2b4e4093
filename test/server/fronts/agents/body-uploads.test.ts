import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { createMeasuredClock } from '#server/observe/system/measured-clock.ts'
import { BODY_MAX_BYTES, type Upload } from '#server/schemas/agents/protocol.ts'
import { MASK } from '#server/schemas/variables.ts'
import { execute, gatewayWorld } from '#test/support/agents/gateway-world.ts'
import { type SignedClient, signedHeaders } from '#test/support/agents/signed-client.ts'
import { testFolder } from '#test/support/folder.ts'
import { type ProbedService, resultsOf } from '#test/support/runs/probed.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createConnection } from '#worker/agent/connection.ts'
import { createRequests } from '#worker/agent/requests.ts'
import { openSpool } from '#worker/agent/spool.ts'
import { createUploader } from '#worker/agent/uploader.ts'

// Response bodies on their whole way: from an agent's spool over HTTP through the front and the gateway into the body store.

const MEBIBYTE = 2 ** 20
const SECRET = 'correct-horse-battery'
const world = gatewayWorld()
const { t } = world
const folder = testFolder()
let target: HttpTarget
let front: Server

beforeAll(async () => {
  target = await startHttpTarget((_request, response) => response.writeHead(200).end('fine'))
  front = createFront({
    runtime: t.runtime,
    api: t.facade,
    document: createDocument(t.runtime),
    health: createHealth(t.runtime),
    agent: world.gateway,
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  front.closeAllConnections()
  await Promise.all([target.close(), new Promise((done) => front.close(done))])
})

const portOf = (server: NetServer) => (server.address() as AddressInfo).port

type Scene = { service: ProbedService; client: SignedClient; upload: Upload }

/** A finished run of a service whose project has the secret. */
async function createScene(): Promise<Scene> {
  const service = await world.createService(`get("${target.url}/")\n  .expect(status: 200)`, {
    saveResponseBodies: true,
  })
  const { organizationId, id: serviceId } = service
  const id = uuidv7()
  const sealed = t.runtime.vault.seal(SECRET, 'variable', organizationId, id)
  await t.db.insert(variables).values({ id, organizationId, serviceId, key: 'password', type: 'secret', sealed })
  const client = await world.enrol(organizationId)
  await world.queueRun(service, client.agent)
  const [assignment] = await world.poll(client)
  return { service, client, upload: await execute(assignment!) }
}

/** The uploader of an agent with what it has spooled, against the server at `port`. */
async function createAgentSide({ client }: Scene, port: number) {
  const spool = await openSpool(mkdtempSync(join(folder, 'agent-')), randomBytes(32), 256 * MEBIBYTE)
  const url = `http://127.0.0.1:${port}`
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const { privateKey, keyId } = client.keys
  const refusals: string[] = []
  return {
    spool,
    refusals,
    async put({ upload }: Scene, contentType: string, body: () => AsyncIterable<Buffer>) {
      const run = { id: upload.id, attempt: upload.attempt }
      expect(await spool.putBody(run, 0, body)).toBe(true)
      await spool.putResult(run, Buffer.from(JSON.stringify({ upload, bodies: [{ call: 0, contentType }] })))
    },
    upload: () =>
      createUploader({
        spool,
        requests: createRequests(url, '0.4.50', { privateKey, keyId }, createMeasuredClock()),
        connection: createConnection(url),
        onRefused: ({ code }) => void refusals.push(code),
        signal: stopping.signal,
      }).drained(stopping.signal),
  }
}

/** Pieces of `textWithSecrets` in a mebibyte. */
const PIECES = 16

/** Text of a mebibyte with a secret at the end of each piece, and across the ends of windows. */
async function* textWithSecrets(mark: string, mebibytes = 1): AsyncGenerator<Buffer> {
  for (let nth = 0; nth < mebibytes * PIECES; nth++) {
    const text = `${mark} ${nth} `.padEnd(64 * 1024 - SECRET.length + 3, '.')
    yield Buffer.from(`${text}${SECRET}`.slice(0, 64 * 1024 - 64))
  }
}

async function digestOf(pieces: AsyncIterable<Buffer>, change: (text: string) => string): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece.toString('latin1')
  return createHash('sha256').update(change(text), 'latin1').digest('hex')
}

/** Files of the store and of uploads that are under way. */
function filesOnDisk(service?: { organizationId: string }): string[] {
  const list = (path: string) => {
    try {
      return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
      )
    } catch {
      return []
    }
  }
  const data = t.runtime.settings.DATA_DIR
  return [...list(join(data, 'bodies', service?.organizationId ?? '')), ...list(join(data, 'uploads'))]
}

/** The most bytes that buffers held at once during the work, garbage not counted. */
async function peakBytesDuring(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    // The second waits until what the first found is freed.
    collect()
    collect()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }
  const before = held()
  let [peak, isOver] = [0, false]
  const sampled = (async () => {
    while (!isOver) {
      const from = performance.now()
      peak = Math.max(peak, held() - before)
      // The heap of a process that ran other files takes long to collect, and the work needs time between.
      await sleep(Math.max(100, 2 * (performance.now() - from)))
    }
  })()
  await work().finally(() => {
    isOver = true
  })
  await sampled
  return peak
}

describe('a body', () => {
  test('of ten mebibytes is never in memory, neither on the agent nor on the server', async () => {
    const scenes = await Promise.all([createScene(), createScene()])
    const agents = await Promise.all(scenes.map((scene) => createAgentSide(scene, portOf(front))))
    const peak = await peakBytesDuring(async () => {
      for (const [nth, agent] of agents.entries()) {
        // The last is not text by its type, so the server knows only at its end that it is text.
        const type = nth === 1 ? 'application/octet-stream' : 'text/plain'
        await agent.put(scenes[nth] as Scene, type, () => textWithSecrets(`run ${nth}`, 10))
      }
      await Promise.all(agents.map(({ upload }) => upload()))
    })
    // Twenty mebibytes are under way together: a few pieces of each are held.
    expect(peak).toBeLessThan(8 * MEBIBYTE)
    for (const [nth, { service }] of scenes.entries()) {
      const [result] = await resultsOf(t.db, service)
      const { key = '', bytes } = result?.steps[0]?.body ?? {}
      const masked = await digestOf(textWithSecrets(`run ${nth}`, 10), (text) => text.replaceAll(SECRET, toBytes(MASK)))
      expect(key.split('/').at(-1)).toBe(masked)
      const stored = readFileSync(join(t.runtime.settings.DATA_DIR, 'bodies', key))
      expect([stored.length, createHash('sha256').update(stored).digest('hex')]).toEqual([bytes, masked])
      expect(filesOnDisk(service)).toHaveLength(1)
    }
  })

  test('that is not text is stored as it is, with a secret in it', async () => {
    const scene = await createScene()
    const agent = await createAgentSide(scene, portOf(front))
    async function* image() {
      yield* textWithSecrets('image')
      yield Buffer.from([0xff])
    }
    await agent.put(scene, 'image/png', image)
    await agent.upload()
    const [result] = await resultsOf(t.db, scene.service)
    expect(result?.steps[0]?.body?.key.split('/').at(-1)).toBe(await digestOf(image(), (text) => text))
  })

  test('that is cut in the middle leaves nothing, and is sent again', async () => {
    const scene = await createScene()
    const proxy = await startCutter(MEBIBYTE)
    const agent = await createAgentSide(scene, portOf(proxy.server))
    const between: string[][] = []
    proxy.onCut = () => void between.push(filesOnDisk(scene.service))
    await agent.put(scene, 'text/plain', () => textWithSecrets('cut', 4))
    await agent.upload()
    expect([proxy.cuts(), between, agent.refusals]).toEqual([1, [[]], []])
    const [result] = await resultsOf(t.db, scene.service)
    const masked = await digestOf(textWithSecrets('cut', 4), (text) => text.replaceAll(SECRET, toBytes(MASK)))
    expect(result?.steps[0]?.body?.key.split('/').at(-1)).toBe(masked)
    expect(filesOnDisk(scene.service)).toHaveLength(1)
    expect(await world.auditOf(scene.service.organizationId)).not.toContainEqual(
      expect.objectContaining({ action: 'agent.refuse' }),
    )
  })

  test('that its store cannot keep is missing, and its result is stored', async () => {
    const scene = await createScene()
    const agent = await createAgentSide(scene, portOf(front))
    await t.db.update(services).set({ saveResponseBodies: false }).where(eq(services.id, scene.service.id))
    await agent.put(scene, 'text/plain', () => textWithSecrets('unwanted'))
    await agent.upload()
    const [result] = await resultsOf(t.db, scene.service)
    expect(result?.steps).toMatchObject([{ body: null, bodyNotStoredReason: 'not_requested' }])
    expect(filesOnDisk(scene.service)).toEqual([])
  })
})

describe('what an agent sends instead of its body', () => {
  const MASSIVE = Buffer.alloc(BODY_MAX_BYTES + MEBIBYTE, 'x')

  test.each([
    ['a longer one than it declares', { sent: MASSIVE, headers: {} }, 413, 'too_large'],
    [
      'a declared length over the bound, before it is sent',
      { sent: MASSIVE.subarray(0, 10), headers: { 'content-length': String(MASSIVE.length) } },
      413,
      'too_large',
    ],
    [
      'another one of the same length',
      { sent: MASSIVE.subarray(0, MEBIBYTE), signed: Buffer.alloc(MEBIBYTE, 'y'), headers: {} },
      401,
      'invalid_signature',
    ],
    [
      'one that goes on after the signed one',
      { sent: MASSIVE.subarray(0, 2 * MEBIBYTE), signed: MASSIVE.subarray(0, MEBIBYTE), headers: {} },
      401,
      'invalid_signature',
    ],
  ] as [string, { sent: Buffer; signed?: Buffer; headers: Record<string, string> }, number, string][])(
    '%s: is refused, audited and not kept',
    async (_, { sent, signed, headers }, status, reason) => {
      const scene = await createScene()
      const answer = await sendRawBody(scene, sent, signed ?? sent, headers)
      expect(answer).toBe(status)
      const refused = (await world.auditOf(scene.service.organizationId)).filter(
        ({ action }) => action === 'agent.refuse',
      )
      expect(refused.map(({ details }) => details.reason)).toEqual([reason])
      expect(filesOnDisk(scene.service)).toEqual([])
    },
  )

  test('another one, signed by a key that the server does not know: is refused before it is read', async () => {
    const scene = await createScene()
    const foreign = { ...scene.client.keys, privateKey: generateKeyPairSync('ed25519').privateKey }
    const part = MASSIVE.subarray(0, 10)
    const client = { ...scene.client, keys: foreign }
    const declared = { 'content-length': String(5 * MEBIBYTE) }
    expect(await sendRawBody({ ...scene, client }, part, part, declared)).toBe(401)
  })
})

/** Sends a body over HTTP, in chunks of unknown length unless `headers` declare one. Returns the status. */
async function sendRawBody({ client, upload }: Scene, sent: Buffer, signed: Buffer, headers: Record<string, string>) {
  const { id: run, attempt, startedAt } = upload
  const query = new URLSearchParams({ run, attempt: String(attempt), call: '0', startedAt })
  const path = `/api/agent/v1/bodies?${query}`
  const all = await signedHeaders(client.keys, 'bodies', signed, { query: String(query), contentType: 'text/plain' })
  const request = httpRequest({ port: portOf(front), method: 'POST', path, headers: { ...all, ...headers } })
  // The server closes the connection after its answer.
  request.on('error', () => {})
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  request.write(sent)
  if (headers['content-length'] === undefined) request.end()
  const [{ statusCode }] = await answered
  request.destroy()
  return statusCode
}

/** A proxy in front of the server that cuts the first connection over which `bytes` have passed. */
async function startCutter(bytes: number) {
  let cuts = 0
  const proxy = {
    cuts: () => cuts,
    onCut: () => {},
    server: createServer((client) => {
      const server = connect(portOf(front), '127.0.0.1')
      let passed = 0
      client.on('error', () => server.destroy()).on('close', () => server.destroy())
      server.on('error', () => client.destroy()).on('close', () => client.destroy())
      server.pipe(client)
      client.on('data', (chunk) => {
        passed += chunk.length
        if (!server.write(chunk)) {
          client.pause()
          server.once('drain', () => client.resume())
        }
        if (cuts > 0 || passed < bytes) return
        cuts++
        client.destroy()
        server.destroy()
        setTimeout(() => proxy.onCut(), 200)
      })
    }),
  }
  await once(proxy.server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.server.close())
  return proxy
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
