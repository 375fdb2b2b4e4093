import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll } from 'vitest'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { readsFromPrimary } from '#db/replica.ts'
import { createBodyReader } from '#server/bodies/reader.ts'
import type { Actor, Runtime } from '#server/context.ts'
import { type ErrorDetails, toApiError } from '#server/errors.ts'
import { createFacade, type Facade } from '#server/fronts/rest/facade.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from '#server/identity/auth/actor.ts'
import { describeInvalidInput } from '#server/input-errors.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createCaller } from '#server/router.ts'
import { createLive } from '#server/runtime.ts'
import type { ErrorCode } from '#server/schemas/errors/error-table.ts'
import { createVault } from '#server/vault.ts'
import { required, testDatabase } from '../database.ts'
import type { Factories, Key, Member } from '../factories.ts'
import { type Answer, contract, toAnswer, wholePath } from './contract.ts'

export type CallOptions = {
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged and without a content type. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream
  query?: Record<string, string | number | string[]> | string
  headers?: Record<string, string>
  address?: string
}

export type TestApi = ReturnType<typeof testApi>

/**
 * The public API in process, on a database for the test file. Every response of `call` is checked against the OpenAPI
 * document: an undeclared status, code, header or body shape fails the test, and so does a 500. Rate limits are high
 * unless `settings` lowers them. By default all calls come from 127.0.0.1.
 */
export function testApi(options: { settings?: Record<string, string>; now?: () => Date } = {}) {
  const database = testDatabase()
  let runtime: Runtime | null = null
  let facade: Facade | null = null
  beforeAll(() => {
    runtime = testRuntime(database.db, { DATABASE_URL: database.url, ...options.settings }, options.now)
    facade = createFacade(runtime)
  })
  // The listener of a request that waited would look for the dropped database in the tests of later files.
  afterAll(async () => {
    runtime?.waits.close()
    await runtime?.live.close()
  })

  return {
    get db(): Db {
      return database.db
    },
    get create(): Factories {
      return database.create
    },
    get runtime(): Runtime {
      return required(runtime)
    },
    get facade(): Facade {
      return required(facade)
    },
    databaseUrl: database.url,
    get document() {
      return contract().document
    },

    /** `path` is relative to `/api/public/v1` unless it begins with `/api/`. A null `key` sends no Authorization header. */
    async call<T = Record<string, unknown>>(
      key: Pick<Key, 'token'> | string | null,
      method: string,
      path: string,
      options: CallOptions = {},
    ): Promise<Answer<T>> {
      const request = buildRequest(key, method, path, options)
      const address = options.address ?? '127.0.0.1'
      const answer = await readAnswer(await required(facade)(request, { address }))
      // The path as `Request` resolved it: `..` in a path leads to another operation.
      contract().check(method, new URL(request.url).pathname, answer)
      return answer as Answer<T>
    },

    /** Calls the operations in process as a member in the dashboard, in a new session. */
    async caller(member: Pick<Member, 'userId' | 'organizationId'>) {
      const { db } = required(runtime)
      const sessionId = await database.create.session(member)
      return createCaller({
        ...required(runtime),
        actor: await loadActor(db, member, sessionId),
        address: '127.0.0.1',
        requestId: randomUUID(),
        origin: 'http://localhost',
        session: { ...NO_COOKIES, userAgent: 'test', unenrolled: null },
      })
    },
  }
}

/** The cookies of a browser that keeps none. */
export const NO_COOKIES = {
  setCookie: () => {},
  device: async () => null,
  setChallenge: () => {},
  challenge: async () => null,
}

/** The runtime of a web process on a database. */
export function testRuntime(db: Db, settings: Record<string, string> = {}, now = () => new Date()): Runtime {
  const parsed = parseSettings({
    NODE_ENV: 'test',
    DATA_DIR: join(tmpdir(), `soundline-test-${randomUUID()}`),
    SECRET_KEYS: `test:${randomBytes(32).toString('hex')}`,
    RATE_LIMIT_API_MAX: '1000000',
    RATE_LIMIT_API_FAILURE_MAX: '1000000',
    ...settings,
  })
  const vault = createVault(parsed.SECRET_KEYS ?? [])
  const reads = readsFromPrimary(db)
  const bodies = createBodyReader(parsed)
  return { db, reads, settings: parsed, vault, bodies, ...createLive({ db, reads, now }), now }
}

export function buildRequest(
  key: Pick<Key, 'token'> | string | null,
  method: string,
  path: string,
  { body, rawBody, query, headers }: CallOptions = {},
): Request {
  const token = typeof key === 'string' ? key : key?.token
  const sent = new Headers(headers)
  if (token !== undefined && !sent.has('authorization')) sent.set('authorization', `Bearer ${token}`)
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
  const search = typeof query === 'string' ? query : searchOf(query)
  return new Request(`http://localhost${wholePath(path)}${search && `?${search}`}`, {
    method,
    headers: sent,
    body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
    duplex: 'half',
  } as RequestInit)
}

/** @throws SyntaxError when a non-empty body is not JSON */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return toAnswer(response.status, response.headers, text === '' ? null : JSON.parse(text))
}

/** Returns the error of an in-process call, as the fronts would report it. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code: ErrorCode; details: ErrorDetails | undefined }> {
  const error = await promise.then(
    () => {
      throw new Error('The call was expected to fail')
    },
    (reason: unknown) => reason,
  )
  const known = (error instanceof TRPCError && describeInvalidInput(error)) || toApiError(error)
  if (known.api === 'internal_error') throw error
  return { code: known.api, details: known.details }
}

export async function loadActor(
  db: Db,
  member: Pick<Member, 'userId' | 'organizationId'>,
  sessionId: string | null,
): Promise<Actor> {
  const [row] = await db.execute<MemberRow>(sql`
    select ${memberColumns} from users u join organizations o on o.id = ${member.organizationId} ${memberJoins}
    where u.id = ${member.userId}`)
  const actor = row && toActor(row, { key: null, sessionId })
  if (!actor) throw new Error('No active membership')
  return actor
}

function searchOf(query: Record<string, string | number | string[]> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  return search.toString()
}
